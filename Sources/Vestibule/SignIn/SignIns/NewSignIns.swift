import Essentials
import Foundation

/// Tells owners of sign-ins from browsers that had not signed in before: three mails a day at most,
/// then one summary.
struct NewSignIns: Sendable {
    let store: any NewSignInStore
    let mailer: Mailer
    let now: @Sendable () -> Date
    static let mailsADay = 3
    static let day: TimeInterval = 86_400

    /// The mail about a sign-in; the store decides whether it goes out or waits for the summary.
    func notice(_ event: SecurityEvent, of signIn: ProvedSignIn) throws -> NewSignInNotice {
        let proof = signIn.provedBy
        // A passkey alone may be both factors.
        let isOneProof = proof == .passkey && signIn.secondStep == nil
        let proofs = [proof.rawValue, isOneProof ? nil : signIn.secondFactor?.rawValue].compactMap { $0 }
        return NewSignInNotice(
            mail: try mailer.mail(
                .newSignIn, to: signIn.account, [MailContent.proofs: proofs.joined(separator: "_")],
                signIns: [MailedSignIn(event)]),
            mailsAtMost: Self.mailsADay, at: event.at,
            since: event.at.addingTimeInterval(-Self.day), summaryDueAt: event.at.addingTimeInterval(Self.day)
        )
    }

    func queueSummaries() async throws {
        while try await queueSomeSummaries() > 0 { mailer.wake() }
    }

    /// Returns how many.
    private func queueSomeSummaries() async throws -> Int {
        let due = try await store.dueSignInSummaries(now: now())
        guard !due.isEmpty else { return 0 }
        let mails = try due.map { summary in
            SignInSummaryMail(
                summary: summary,
                mail: summary.signIns.isEmpty
                    ? nil
                    : try mailer.mail(
                        .newSignIns, to: summary.account, ["count": "\(summary.signIns.reduce(0) { $0 + $1.count })"],
                        signIns: summary.signIns.map(MailedSignIn.init))
            )
        }
        return try await store.queueSignInSummaries(mails)
    }
}

extension MailedSignIn {
    init(_ event: SecurityEvent) {
        self.init(at: event.at, device: Device(userAgent: event.userAgent).name, address: event.address.text)
    }
}

extension SecurityEvent.Kind {
    /// A sign-in from a browser that had not signed in to the account before.
    package static let loginNewDevice = Self("login_new_device", log: "authn_login_success")
}

extension MailContent.Kind {
    static let newSignIn = Self("new-sign-in")
    static let newSignIns = Self("new-sign-ins")
}
