import Essentials
import Foundation
import Serving
import Vestibule

extension DoctorReport {
    /// What the server's user cannot open, such as what root has restored: root can, and would not
    /// notice.
    mutating func checkOwners(_ settings: Settings) {
        guard let server = ServerUser() else { return }
        var wanted: [String: Int32] = [:]
        for (file, rights) in Self.filesOfServer(settings) {
            var place = URL(filePath: file).resolvingSymlinksInPath()
            wanted[place.path, default: 0] |= rights
            while place.path != "/" {
                place.deleteLastPathComponent()
                wanted[place.path, default: 0] |= X_OK
            }
        }
        let here = URL(filePath: ".").resolvingSymlinksInPath().path + "/"
        var denied: [String: [String]] = [:]
        for (path, rights) in wanted.sorted(by: { $0.key < $1.key }) where !server.may(rights, path) {
            let inside = path.after(here).map(String.init)
            denied[server.command(rights, path, isInside: inside != nil), default: []].append(inside ?? path)
        }
        let problems = denied.sorted { $0.key < $1.key }.map { command, paths in
            "the server's user, taken to be \(server.name), who owns this folder, needs more rights; run: "
                + Printable.text("\(command) \(paths.joined(separator: " "))")
        }
        note("file owners", problems)
    }

    /// What the server opens, and what it has to be allowed there.
    private static func filesOfServer(_ settings: Settings) -> [(path: String, rights: Int32)] {
        var read = [".env"] + DatabaseMark(settings).places + settings.secretFiles
        var (write, folders): ([String], [String]) = ([], [])
        if settings.secretKey == nil {
            read.append(Wiring.keyFile)
            folders.append("data")
        }
        if let file = settings.databaseURL.file {
            // SQLite, as root, gives -wal and -shm to the owner of this one.
            write.append(file)
            folders.append(URL(filePath: file).deletingLastPathComponent().path)
        }
        if let resources = try? Wiring.resources() {
            let own = ["Templates", "Public"].flatMap { (try? resources.files(in: $0)) ?? [] }
            read += own.filter { !$0.isInstalled }.map(\.file.path)
        }
        return read.map { ($0, R_OK) } + write.map { ($0, R_OK | W_OK) } + folders.map { ($0, R_OK | W_OK | X_OK) }
    }
}
