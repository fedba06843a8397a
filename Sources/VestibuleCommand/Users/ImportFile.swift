import Foundation

/// The file an import reads, or standard input, piece by piece.
struct ImportFile {
    /// In bytes; `nil` when it cannot be known.
    let size: Int?
    private let handle: FileHandle
    private static let pieceBytes = 256 << 10

    init(_ path: String) throws {
        guard path != "-" else {
            (size, handle) = (nil, .standardInput)
            return
        }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw CommandFailure(.failed, "\(path) cannot be read", hint: "Is it there, and may this user read it?")
        }
        self.handle = handle
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        size = attributes?[.type] as? FileAttributeType == .typeRegular ? attributes?[.size] as? Int : nil
    }

    /// `nil` at the end.
    func nextPiece() throws -> [UInt8]? {
        do {
            let piece = try handle.read(upToCount: Self.pieceBytes)
            return piece.flatMap { $0.isEmpty ? nil : [UInt8]($0) }
        } catch {
            throw CommandFailure(.failed, "the file cannot be read: \(error)", hint: "Nothing was imported.")
        }
    }
}
