import Foundation

/// Where templates and static files are.
package struct Resources: Sendable {
    package let templates: String
    package let publicFiles: String

    package init(templates: String, publicFiles: String) {
        self.templates = templates
        self.publicFiles = publicFiles
    }

    /// Looks in the working directory, then above the executable (a build folder lies inside the checkout), then in
    /// `share/vestibule` beside the executable's folder. Returns `nil` when neither holds them.
    package static func find(executable: String, workingDirectory: String) -> Resources? {
        var places = [URL(filePath: workingDirectory, directoryHint: .isDirectory)]
        var above = URL(filePath: executable).resolvingSymlinksInPath().deletingLastPathComponent()
        places.append(above.deletingLastPathComponent().appending(path: "share/vestibule"))
        while above.path != "/" {
            places.append(above)
            above.deleteLastPathComponent()
        }
        let complete = places.first { place in
            FileManager.default.fileExists(atPath: place.appending(path: "Templates/layout.mustache").path)
                && FileManager.default.fileExists(atPath: place.appending(path: "Public").path)
        }
        return complete.map {
            Resources(templates: $0.appending(path: "Templates").path, publicFiles: $0.appending(path: "Public").path)
        }
    }
}
