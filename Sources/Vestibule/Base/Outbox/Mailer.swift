import AsyncAlgorithms
package import Essentials
package import Foundation

import struct FoundationEssentials.Date

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

    func mail(
        _ kind: MailContent.Kind, to account: Account, _ values: [String: String] = [:],
        by visitor: Visitor? = nil, signIns: [MailedSignIn]? = nil, id: String? = nil
    ) throws -> QueuedMail {
        try mail(kind, to: account.email, locale: account.locale, values, by: visitor, signIns: signIns, id: id)
    }

    /// With a visitor, the mail says when it was done, where and in which browser. `id` is random
    /// unless given.
    func mail(
        _ kind: MailContent.Kind, to email: EmailAddress, locale: String, _ values: [String: String] = [:],
        by visitor: Visitor? = nil, signIns: [MailedSignIn]? = nil, id: String? = nil
    ) throws -> QueuedMail {
        let acts = signIns ?? visitor.map { [MailedSignIn(of: $0, at: now())] }
        return try MailContent(kind: kind, to: email.ascii, locale: locale, values: values, signIns: acts)
            .sealed(for: email, key: key, id: id ?? random.id(), now: now())
    }

    /// Makes the worker look for mails at once. Not called where the time of an answer would tell
    /// that a mail goes out.
    func wake() {
        signal.send()
    }
}

/// Tells the mail worker that there is something to do, so that mails leave at once and not at the
/// next round.
package final class OutboxSignal: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    package init() {
        (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    package func send() {
        continuation.yield()
    }

    /// One element a signal, and one every so often for what other processes and retries have made
    /// due. One listener.
    func signals(every interval: Duration) -> some AsyncSequence<Void, Never> & Sendable {
        merge(stream, AsyncTimerSequence(interval: interval, clock: .continuous).map { _ in })
    }
}

/// A sign-in, or what else was done, as a mail describes it to the account's owner.
struct MailedSignIn: Sendable, Codable, Equatable {
    let at: Date
    /// Browser and system; nil if unknown.
    let device: String?
    /// The whole IP address: the mail goes to the account's owner only.
    let address: String
}

extension MailedSignIn {
    init(of visitor: Visitor, at: Date) {
        self.init(at: at, device: Device(userAgent: visitor.userAgent).name, address: visitor.client.ipAddress.text)
    }
}
