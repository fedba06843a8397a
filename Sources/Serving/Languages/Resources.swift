import Essentials
package import Foundation

/// Where templates and static files are: what was installed, and laid over it, file by file, what
/// the operator changed.
package struct Resources: Sendable {
    /// Folders that hold `Templates` and `Public`, or parts of them; a later one's files hide those
    /// of an earlier one.
    package let places: [String]
    /// The first of them, where it was installed with the executable.
    private let installed: String?

    init(places: [String], installed: String? = nil) {
        (self.places, self.installed) = (places, installed)
    }

    /// A complete copy in the working directory stands for itself. Otherwise what is in
    /// `share/vestibule` beside the executable's folder, or above the executable (a build folder
    /// lies inside the checkout), with the working directory's files over it. Returns `nil` when
    /// nothing is complete.
    package static func find(executable: String, workingDirectory: String) -> Resources? {
        let installed = installed(executable: executable)?.installed
        if isComplete(workingDirectory) {
            return Resources(places: [workingDirectory], installed: installed == workingDirectory ? installed : nil)
        }
        return installed.map { Resources(places: [$0, workingDirectory], installed: $0) }
    }

    /// What was installed with the executable alone. Returns nil when nothing is complete.
    package static func installed(executable: String) -> Resources? {
        var above = URL(filePath: executable).resolvingSymlinksInPath().deletingLastPathComponent()
        var installed = [above.deletingLastPathComponent().appending(path: "share/vestibule").path]
        while above.path != "/" {
            installed.append(above.path)
            above.deleteLastPathComponent()
        }
        return installed.first(where: isComplete).map { Resources(places: [$0], installed: $0) }
    }

    /// Whether the whole product is there, told by a file that nobody replaces.
    private static func isComplete(_ place: String) -> Bool {
        FileManager.default.fileExists(atPath: place + "/Templates/api/openapi.json")
            && FileManager.default.fileExists(atPath: place + "/Public")
    }

    /// Every file under a folder of that name, by its path in there, in the order in which later
    /// ones hide earlier ones; with whether it was installed with the executable.
    package func files(in folder: String) -> [(path: String, file: URL, isInstalled: Bool)] {
        places.flatMap { place in
            let root = URL(filePath: place, directoryHint: .isDirectory).appending(path: folder)
                .resolvingSymlinksInPath()
            return Self.paths(below: root.path).sorted().map { ($0, root.appending(path: $0), place == installed) }
        }
    }

    /// Throws `TemplateFault` for a folder of that name that is there and cannot be listed: its
    /// files would be passed over, and nobody would know why pages look as they were installed.
    func checkReadable(_ folder: String) throws {
        for place in places {
            let path = URL(filePath: place).appending(path: folder).path
            guard access(path, R_OK | X_OK) != 0, errno == EACCES else { continue }
            throw TemplateFault(unreadable: path)
        }
    }

    /// Paths of all that can be read in there.
    private static func paths(below folder: String) -> [String] {
        let files = FileManager.default
        // To list all at once is twice as quick, but fails where one folder cannot be read. An
        // enumerator passes over that folder.
        return (try? files.subpathsOfDirectory(atPath: folder))
            ?? files.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    }

    /// Codes of the languages there are.
    package var languages: [String] {
        Set(files(in: "Templates").compactMap { Self.language(at: $0.path) }).sorted()
    }

    /// The code of the language whose file has that path in `Templates`; nil for other files and
    /// hidden ones.
    static func language(at path: String) -> String? {
        guard let code = path.after("locales/")?.before(".json"), !code.begins(with: ".") else { return nil }
        return String(code)
    }
}
