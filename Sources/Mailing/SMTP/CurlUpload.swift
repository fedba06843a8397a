/// The message libcurl reads piece by piece.
final class CurlUpload {
    private let message: [UInt8]
    private let progress: SMTPProgress
    private var position = 0
    /// CURL_READFUNC_ABORT, a macro that Swift does not import.
    private static let abort = 0x1000_0000
    /// Whether libcurl has all of it.
    var isRead: Bool { position == message.count }

    init(_ message: [UInt8], _ progress: SMTPProgress) {
        (self.message, self.progress) = (message, progress)
    }

    /// The read callback (CURLOPT_READFUNCTION); its last argument is an unretained `CurlUpload`.
    static let read: @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
        buffer, size, count, source in
        guard let buffer, let source else { return 0 }
        let upload = Unmanaged<CurlUpload>.fromOpaque(source).takeUnretainedValue()
        // Without the sign-in no mail is handed over.
        guard !upload.progress.lacksSignIn else { return CurlUpload.abort }
        return upload.copy(into: UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
    }

    private func copy(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let piece = message[position...].prefix(buffer.count)
        buffer.copyBytes(from: piece)
        position += piece.count
        return piece.count
    }
}
