import Foundation

@testable import Mailing
@testable import Vestibule

/// The world's mailboxes: keeps what was sent, and lets tests wait for it.
actor Mailbox: MailTransport {
    private var sent: [MailMessage] = []
    private var read: [String: Int] = [:]
    private var waiting: [UUID: CheckedContinuation<Void, any Error>] = [:]
    private var failure: MailFailure?

    func send(_ message: MailMessage) throws(MailFailure) {
        if let failure { throw failure }
        sent.append(message)
        for reader in waiting.values { reader.resume() }
        waiting = [:]
    }

    func check() throws(MailFailure) {}

    /// From now on, mails fail like this; `nil` mends it.
    func fail(_ failure: MailFailure?) {
        self.failure = failure
    }

    /// The next unread mail to an address; waits until there is one.
    func next(to address: String) async throws -> MailMessage {
        while true {
            let mails = sent.filter { $0.to.lowercased() == address.lowercased() }
            let count = read[address.lowercased(), default: 0]
            if mails.count > count {
                read[address.lowercased()] = count + 1
                return mails[count]
            }
            try await arrival()
        }
    }

    /// The next unread mail to an address with that subject, or that heading where the subject
    /// holds a code; those before it count as read.
    func next(to address: String, subject: String) async throws -> MailMessage {
        while true {
            let mail = try await next(to: address)
            if mail.subject == subject || mail.text.hasPrefix("\(subject)\n")
                || mail.text.contains("\n\n\(subject)\n\n")
            {
                return mail
            }
        }
    }

    /// Of all that were sent to an address.
    func subjects(to address: String) -> [String] {
        sent.filter { $0.to.lowercased() == address.lowercased() }.map(\.subject)
    }

    /// Returns at the next mail to anybody; throws when the test is cancelled, so that its time
    /// limit works.
    private func arrival() async throws {
        let reader = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiting[reader] = $0 }
        } onCancel: {
            Task { await self.leave(reader) }
        }
    }

    private func leave(_ reader: UUID) {
        waiting.removeValue(forKey: reader)?.resume(throwing: CancellationError())
    }

    /// The code in the next unread mail to an address.
    func code(for address: String) async throws -> String {
        let text = try await next(to: address).text
        guard let code = text.firstMatch(of: /\b\d{6}(?:\d{4})?\b/) else { throw NoCode() }
        return String(code.output)
    }

    /// The code in the next unread mail to an address with that subject.
    func code(for address: String, subject: String) async throws -> String {
        let text = try await next(to: address, subject: subject).text
        guard let code = text.firstMatch(of: /\b\d{6,12}\b/) else { throw NoCode() }
        return String(code.output)
    }

    struct NoCode: Error {}

    /// How many mails went to an address.
    func count(to address: String) -> Int {
        sent.count { $0.to.lowercased() == address.lowercased() }
    }
}
