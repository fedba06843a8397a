public import Foundation

/// Keeps the token in a file that only its owner may read (mode 0600): for programs on systems
/// without a keychain.
public struct FileTokenStore: TokenStore {
    private let file: URL

    /// `file`: in a folder that exists, and that nobody else may write to.
    public init(file: URL) {
        self.file = file
    }

    /// The token in the file; nil if there is no file, or an empty one. Throws `CocoaError`.
    public func load() throws -> Secret? {
        do {
            let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
            return text.isEmpty ? nil : Secret(text)
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return nil
        }
    }

    /// Replaces the file at once, or removes it. Throws `CocoaError`.
    public func keep(_ token: Secret?) throws {
        guard let token else { return try remove() }
        // Beside it, so that a file is never seen with half a token.
        let new = file.deletingLastPathComponent().appending(path: ".\(UUID().uuidString)")
        let descriptor = open(new.path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteNoPermission) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: Data(token.text.utf8))
            try handle.synchronize()
            guard rename(new.path, file.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            try? FileManager.default.removeItem(at: new)
            throw error
        }
    }

    private func remove() throws {
        do {
            try FileManager.default.removeItem(at: file)
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            // Gone already.
        }
    }
}
