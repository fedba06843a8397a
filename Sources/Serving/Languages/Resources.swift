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
    /// ones hide earlier ones; with whether it was installed with the executable. Without hidden
    /// ones, which editors and archives leave behind. Throws `TemplateFault` for a folder that is
    /// there and cannot be listed: its files would be passed over, and nobody would know why pages
    /// look as they were installed.
    package func files(in folder: String) throws -> [(path: String, file: URL, isInstalled: Bool)] {
        try places.flatMap { place in
            let root = URL(filePath: place, directoryHint: .isDirectory).appending(path: folder)
                .resolvingSymlinksInPath()
            // One call for the whole tree is twice as fast, but follows no symbolic link.
            let listed = place == installed ? try? FileManager.default.subpathsOfDirectory(atPath: root.path) : nil
            let shown = listed?.filter { !$0.parts(by: "/").contains { $0.begins(with: ".") } }
            return try (shown ?? Self.paths(below: root, named: "\(place)/\(folder)")).sorted().map {
                ($0, root.appending(path: $0), place == installed)
            }
        }
    }

    /// Paths of all files below a folder, symbolic links followed; `above` are the resolved folders
    /// on the way to it. Throws `TemplateFault` for an unreadable folder and a link in a circle.
    private static func paths(below folder: URL, named name: String, above: [String] = []) throws -> [String] {
        guard access(folder.path, R_OK | X_OK) == 0 else {
            guard errno == EACCES else { return [] }
            throw TemplateFault(unreadable: name)
        }
        let place = folder.resolvingSymlinksInPath().path
        guard !above.contains(where: place.isExactly) else {
            throw TemplateFault("\(name) is a symbolic link to a folder that contains it")
        }
        let entries = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try entries.filter { !$0.begins(with: ".") }.flatMap { entry -> [String] in
            let inside = folder.appending(path: entry)
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: inside.path, isDirectory: &isFolder), isFolder.boolValue else {
                return [entry]
            }
            return try paths(below: inside, named: "\(name)/\(entry)", above: above + [place])
                .map { "\(entry)/\($0)" }
        }
    }

    /// Codes of the languages there are.
    package var languages: [String] {
        get throws { Set(try files(in: "Templates").compactMap { Self.language(at: $0.path) }).sorted() }
    }

    /// The code of the language whose file has that path in `Templates`; nil for other files.
    static func language(at path: String) -> String? {
        path.after("locales/")?.before(".json").map(String.init)
    }
}
