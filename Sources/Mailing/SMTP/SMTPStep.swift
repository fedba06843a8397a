import CCurl
import Essentials

/// How far an SMTP conversation has come, by the last command that was sent; `end`: libcurl
/// has the whole message, and may have sent the dot after it.
enum SMTPStep: Sendable {
    case connection, authentication, sender, recipient, message, end

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
    /// Whether a user name is to be given. libcurl goes on without where a server offers no AUTH.
    var expectsSignIn = false
    private var hasSignedIn = false
    /// The enhanced status code of the last refusal, such as `5.1.1` (RFC 3463); nil without one.
    private(set) var status: String?

    /// A mail was begun without the sign-in that is expected.
    var lacksSignIn: Bool {
        expectsSignIn && !hasSignedIn && step != .connection
    }

    /// The whole message was handed over.
    func noteEnd() { step = .end }

    /// The debug callback (CURLOPT_DEBUGFUNCTION); its last argument is an unretained
    /// `SMTPProgress`.
    static let note:
        @convention(c) (
            UnsafeMutableRawPointer?, curl_infotype, UnsafeMutablePointer<CChar>?, Int, UnsafeMutableRawPointer?
        ) -> Int32 = { _, kind, bytes, count, target in
            guard let bytes, let target else { return 0 }
            let progress = Unmanaged<SMTPProgress>.fromOpaque(target).takeUnretainedValue()
            let line = UnsafeRawBufferPointer(start: bytes, count: count)
            if kind == CURLINFO_HEADER_OUT { progress.noteCommand(line) }
            let isRefusal = line.first == UInt8(ascii: "4") || line.first == UInt8(ascii: "5")
            if kind == CURLINFO_HEADER_IN, isRefusal { progress.status = enhancedStatus(of: line) }
            return 0
        }

    private func noteCommand(_ line: UnsafeRawBufferPointer) {
        step = step.after(line)
        if step == .authentication { hasSignedIn = true }
    }

    /// The enhanced status code of a refusal such as `550 5.1.1 …` or `550-5.1.1 …` (RFC 2034,
    /// section 4). The rest of the line is not kept: it may name a person.
    private static func enhancedStatus(of line: UnsafeRawBufferPointer) -> String? {
        let word = line.dropFirst(4).prefix { $0 > 0x20 }
        let parts = word.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].elementsEqual(line.prefix(1)),
            parts.allSatisfy({ (1...3).contains($0.count) && $0.allSatisfy(\.isASCIIDigit) })
        else { return nil }
        return String(decoding: word, as: UTF8.self)
    }
}
