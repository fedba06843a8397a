package import Essentials
package import Foundation

/// Seals mails for the outbox, where the transaction that causes one keeps it, and wakes the worker
/// that sends them.
package struct Mailer: Sendable {
    private let key: SecretKey
    private let random: Randomness
    private let signal: OutboxSignal
    private let now: @Sendable () -> Date

    package init(
        key: SecretKey, random: Randomness, signal: OutboxSignal, now: @escaping @Sendable () -> Date
    ) {
        (self.key, self.random, self.signal, self.now) = (key, random, signal, now)
    }

    /// A mail to the account's address and in its language.
    func mail(
        _ kind: MailContent.Kind, to account: Account, _ values: [String: String] = [:],
        signIns: [MailedSignIn]? = nil
    ) throws -> QueuedMail {
        try mail(kind, to: account.email, locale: account.locale, values, signIns: signIns)
    }

    /// A mail to an address.
    func mail(
        _ kind: MailContent.Kind, to email: EmailAddress, locale: String, _ values: [String: String] = [:],
        signIns: [MailedSignIn]? = nil
    ) throws -> QueuedMail {
        try MailContent(kind: kind, to: email.ascii, locale: locale, values: values, signIns: signIns)
            .sealed(for: email, key: key, random: random, now: now())
    }

    /// Makes the worker look for mails at once. Not called where the time of an answer would tell
    /// that a mail goes out.
    func wake() {
        signal.send()
    }
}
