import Essentials
import Foundation

/// The file an import reads, or standard input, piece by piece.
struct ImportFile {
    /// In bytes; `nil` when it cannot be known.
    let size: Int?
    private let path: String
    private let handle: FileHandle
    private static let pieceBytes = 256 << 10

    init(_ path: String) throws {
        guard path != "-" else {
            (self.path, size, handle) = ("standard input", nil, .standardInput)
            return
        }
        let hint = "Name a file, or - for standard input."
        guard !path.isEmpty else { throw CommandFailure("the name of the file is empty", hint: hint) }
        var isFolder: ObjCBool = false
        guard !FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) || !isFolder.boolValue else {
            throw CommandFailure("\(path) is a folder", hint: hint)
        }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw CommandFailure("\(path) cannot be read", hint: "Is it there, and may this user read it?")
        }
        (self.path, self.handle) = (path, handle)
        let status = FileStatus(of: path)
        size = status.flatMap { $0.isRegular ? $0.size : nil }
        // Such as /dev/zero, which never ends.
        guard status?.isDevice != true || isatty(handle.fileDescriptor) == 1 else {
            throw CommandFailure("\(path) is a device", hint: hint)
        }
    }

    /// `nil` at the end.
    func nextPiece() throws -> [UInt8]? {
        var piece = [UInt8](repeating: 0, count: Self.pieceBytes)
        while true {
            let count = piece.withUnsafeMutableBytes { read(handle.fileDescriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw CommandFailure(
                    "\(path) cannot be read to its end: \(String(cString: strerror(errno)))",
                    hint: "Nothing was imported.")
            }
            return count == 0 ? nil : Array(piece.prefix(count))
        }
    }
}
