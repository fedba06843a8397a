import CCurl
import Essentials

/// How far an SMTP conversation has come, by the last command that was sent.
enum SMTPStep: Sendable {
    case connection, authentication, sender, recipient, message

    /// The step after a command line; answers to the server's questions about a password change
    /// nothing.
    func after(_ line: UnsafeRawBufferPointer) -> SMTPStep {
        if line.starts(with: "AUTH ".utf8) { return .authentication }
        if line.starts(with: "MAIL FROM:".utf8) { return .sender }
        if line.starts(with: "RCPT TO:".utf8) { return .recipient }
        if self == .recipient, line.starts(with: "DATA".utf8) { return .message }
        return self
    }
}

/// Watches one conversation.
final class SMTPProgress {
    private(set) var step = SMTPStep.connection

    /// The debug callback (CURLOPT_DEBUGFUNCTION); its last argument is an unretained
    /// `SMTPProgress`.
    static let note:
        @convention(c) (
            UnsafeMutableRawPointer?, curl_infotype, UnsafeMutablePointer<CChar>?, Int, UnsafeMutableRawPointer?
        ) -> Int32 = { _, kind, bytes, count, target in
            guard kind == CURLINFO_HEADER_OUT, let bytes, let target else { return 0 }
            let progress = Unmanaged<SMTPProgress>.fromOpaque(target).takeUnretainedValue()
            progress.step = progress.step.after(UnsafeRawBufferPointer(start: bytes, count: count))
            return 0
        }
}
