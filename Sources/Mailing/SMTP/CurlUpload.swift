/// The message libcurl reads piece by piece.
final class CurlUpload {
    private let message: [UInt8]
    private var position = 0
    /// Whether libcurl has all of it.
    var isRead: Bool { position == message.count }

    init(_ message: [UInt8]) {
        self.message = message
    }

    /// The read callback (CURLOPT_READFUNCTION); its last argument is an unretained `CurlUpload`.
    static let read: @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
        buffer, size, count, source in
        guard let buffer, let source else { return 0 }
        let upload = Unmanaged<CurlUpload>.fromOpaque(source).takeUnretainedValue()
        return upload.copy(into: UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
    }

    private func copy(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let piece = message[position...].prefix(buffer.count)
        buffer.copyBytes(from: piece)
        position += piece.count
        return piece.count
    }
}
