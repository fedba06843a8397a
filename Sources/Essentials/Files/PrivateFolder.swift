import Glibc

/// Folders that only their owner enters.
package enum PrivateFolder {
    /// Makes the folder and those above it with mode 0700; leaves existing ones as they are.
    /// Returns false, with the reason in `errno`, where one cannot be made. A file in place of the
    /// last is left to who opens something in it. Blocks.
    package static func make(_ path: String) -> Bool {
        var made = path.begins(with: "/") ? "/" : ""
        for step in path.parts(by: "/") where !step.isEmpty {
            made += "\(step)/"
            guard mkdir(made, 0o700) == 0 || errno == EEXIST else { return false }
        }
        return true
    }
}
