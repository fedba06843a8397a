import Essentials
import Foundation
import PasswordHashing

extension PasswordReset {
    /// Redeems the code alone: from then on this browser may choose a new password, for as long as
    /// codes live. Returns the flow's new handle; the one before is worth nothing any more. Throws
    /// `Refusal.codeMissing`, `.codeWrong`, `.flowSpent` and `.limited`.
    func prove(_ pending: PendingReset, typed: String, visitor: Visitor) async throws -> Token {
        let admitted = try await flows.admit(typed, pending.code, as: linkSubject(pending, visitor), visitor: visitor)
        let record = try await flows.record(pending.code.email)
        let attempt = attempt(admitted, pending, record, visitor)
        let next = Token(from: random)
        let isProved = try await store.proveReset(
            flow: pending.code.flow, attempt: attempt, next: next.digest, until: flows.codes.expiry, now: flows.now())
        guard isProved else { throw flows.refuse(attempt, pending.code, visitor: visitor) }
        return next
    }

    /// Sets a new password, for a code or for the proof that a code was right. Nobody is signed in
    /// by it. Returns the cookie of a browser that is known from now on, so that nobody who guesses
    /// passwords keeps its owner from using the new one, and which ways in remain. Throws
    /// `Refusals` for the form; a form that is refused costs no attempt. `.codeWrong` for
    /// a proved flow means that it ended.
    @discardableResult
    func redeem(
        _ pending: PendingReset, _ form: CodeAndPassword, visitor: Visitor
    ) async throws -> (device: DeviceCookie, ways: WaysInReview) {
        let email = pending.code.email
        let (admitted, password) = try await typed(form, pending, visitor)
        let isKnown =
            if let admitted { admitted.isKnown } else { try await flows.browsers.isKnown(visitor, to: email) }
        let hash = try await flows.limits.unlessBusy(admitted?.counted ?? []) {
            try await hasher.hash(password, client: visitor.client.bucket, isKnown: isKnown)
        }
        let record = try await flows.record(pending.code.email)
        let attempt = admitted.map { self.attempt($0, pending, record, visitor) }
        let review = try await Superseded.onceMore {
            try await flows.judgingByName(form.password, hash, pending.code, admitted?.counted ?? [], visitor) {
                try await redeem(pending, attempt, record, $0, visitor)
            }
        }
        await revocation.revoke(review.removed)
        return (flows.browsers.cookie(of: visitor, adding: email), review)
    }

    /// Throws `Superseded` when a way in was added or removed meanwhile.
    private func redeem(
        _ pending: PendingReset, _ attempt: CodeAttempt?, _ record: LoginRecord, _ hash: JudgedHash, _ visitor: Visitor
    ) async throws -> WaysInReview {
        let (review, removal) = try await review(pending, record, visitor)
        let undo = try await undoValues(pending, record.account)
        let redemption = try redemption(pending, record, hash, review, removal, undo, visitor)
        let accountID = try await store.redeemReset(
            flow: pending.code.flow, attempt: attempt, redemption: redemption, now: flows.now())
        guard let accountID else {
            throw Refusals([attempt.map { flows.refuse($0, pending.code, visitor: visitor) } ?? .codeWrong])
        }
        ([redemption.event] + removal.events).forEach { flows.audit.log($0.of(accountID), visitor: visitor) }
        return review
    }

    /// What was typed, when it may be tried; no code for a flow that is proved. Throws `Refusals`
    /// and `Refusal`.
    private func typed(
        _ form: CodeAndPassword, _ pending: PendingReset, _ visitor: Visitor
    ) async throws -> (AdmittedCode?, Password) {
        guard pending.isProved else {
            return try await flows.admit(form, pending.code, as: linkSubject(pending, visitor), visitor: visitor)
        }
        // The code was right, so the name may be told; a refusal then costs no hash.
        let name = try await flows.record(pending.code.email).account?.displayName
        let password = try await flows.passwords.judged(
            form.password, email: pending.code.email.typed, displayName: name, client: visitor.client)
        return (nil, password)
    }

    /// The link of a mailed reset came from the mailbox: there is nothing to guess.
    private func attempt(
        _ admitted: AdmittedCode, _ pending: PendingReset, _ record: LoginRecord, _ visitor: Visitor
    ) -> CodeAttempt {
        flows.attempt(
            admitted.code, pending.code, .account, isKnown: admitted.isKnown || pending.isMailed,
            accountID: record.account?.id, visitor: visitor)
    }

    private func redemption(
        _ pending: PendingReset, _ record: LoginRecord, _ hash: JudgedHash,
        _ review: WaysInReview, _ removal: ReviewedWays, _ undo: [String: String], _ visitor: Visitor
    ) throws -> PasswordResetRedemption {
        let account = record.account
        return PasswordResetRedemption(
            passwordHash: hash, failuresKey: flows.key.failuresKey(pending.code.email), ways: removal,
            notice: try mailer.mail(
                record.passwordHash == nil ? .passwordSet : .passwordChanged, to: account?.email ?? pending.code.email,
                locale: account?.locale ?? pending.locale,
                review.mention(providers).merging(review.endsAll ? [:] : undo) { $1 }, by: visitor),
            event: flows.audit.event(.passwordReset, accountID: nil, visitor: visitor)
        )
    }

    /// The link that takes back the account's first factor once more, with the same end: a thief
    /// who read the mailbox may have deleted the mail with it. The same reads for every address.
    private func undoValues(_ pending: PendingReset, _ account: Account?) async throws -> [String: String] {
        let accountID = account?.id ?? AccountID(rawValue: "")
        let factors = try await store.factors(accountID: accountID)
        let end = try await store.factorUndoExpiry(
            accountID: accountID, emailKey: pending.code.email.key, now: flows.now())
        guard let account, let end else { return [:] }
        let added = factors.added(since: end.addingTimeInterval(-2 * FactorUndoLink.lifetime), orPasskey: nil)
        guard added.asksSecondStep else { return [:] }
        let links = FactorUndoLinks(key: flows.key, now: flows.now)
        let passkey = added.passkeys.first(where: \.isSecondFactor)
        return links.values(links.link(passkey: passkey?.id, of: account, expiresAt: end), of: account)
    }

    /// What becomes of other ways in: the same reads for every address.
    private func review(
        _ pending: PendingReset, _ record: LoginRecord, _ visitor: Visitor
    ) async throws -> (WaysInReview, ReviewedWays) {
        let emailKey = pending.code.email.key
        let identities = try await store.linkedIdentities(emailKey: emailKey)
        let passkeys = try await store.passkeys(emailKey: emailKey)
        // Nobody can have opened an account without them, such as that of somebody invited.
        let mayBeOpen = record.passwordHash != nil || !identities.isEmpty || !passkeys.isEmpty
        let review = WaysInReview(
            identities, passkeys, of: record.account, firstProof: mayBeOpen && record.account?.verifiedAt == nil,
            now: flows.now())
        let removal = review.removal { flows.audit.event($0, accountID: nil, visitor: visitor) }
        return (review, removal)
    }
}
