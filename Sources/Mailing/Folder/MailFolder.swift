import Essentials
import Glibc

/// The file system calls of the outbox; every one of them blocks.
struct MailFolder: Sendable {
    let path: String

    /// Makes the folder and those above it with mode 0700; leaves an existing one as it is.
    func make() throws(MailFailure) {
        guard PrivateFolder.make(path) else { throw fault("make the folder") }
        // With the slash, a file in its place fails as "Not a directory".
        guard access("\(path)/", W_OK | X_OK) == 0 else { throw fault("write to the folder") }
    }

    /// Puts a file of mode 0600 in place at once: readers see the old state or the whole file, even
    /// after a crash.
    func write(_ bytes: [UInt8], to name: String) throws(MailFailure) {
        let draft = "\(path)/.\(name).\(UInt64.random(in: 0...(.max))).part"
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw fault("make a file in the folder") }
        let isWritten = fill(file, with: bytes) && fsync(file) == 0
        guard close(file) == 0, isWritten, rename(draft, "\(path)/\(name)") == 0 else {
            let failure = fault("write a file in the folder")
            unlink(draft)
            throw failure
        }
        try keepNames()
    }

    /// The content, empty when it cannot be read.
    func read(_ name: String) -> [UInt8] {
        let file = open("\(path)/\(name)", O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = Glibc.read(file, &chunk, chunk.count), count > 0 { content += chunk[..<count] }
        return content
    }

    /// The names of its files, in no order; empty when there is no folder.
    func names() -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            names.append(String(decoding: name, as: UTF8.self))
        }
        return names
    }

    func remove(_ name: String) {
        unlink("\(path)/\(name)")
    }

    private func fill(_ file: Int32, with bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { return false }
            rest = rest.dropFirst(max(count, 0))
        }
        return true
    }

    // A renamed file survives a power cut only once its folder is on the disk too.
    private func keepNames() throws(MailFailure) {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if folder >= 0 { close(folder) } }
        guard folder >= 0, fsync(folder) == 0 else { throw fault("save the folder") }
    }

    // Always temporary: what is wrong with a folder, an operator mends.
    private func fault(_ doing: String) -> MailFailure {
        .temporary("cannot \(doing) \(path): \(String(cString: strerror(errno)))")
    }
}
