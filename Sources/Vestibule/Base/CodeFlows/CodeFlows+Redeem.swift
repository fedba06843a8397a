import Essentials
import PasswordHashing

/// A code as typed together with a new password.
struct CodeAndPassword: Sendable {
    let code: String
    let password: NewPassword
}

/// A typed code that may be tried.
struct AdmittedCode: Sendable {
    let code: Code
    /// By a browser that has signed in to the address before.
    let isKnown: Bool
    /// What the try was counted by.
    let counted: [LimitClaim]
}

extension CodeFlows {
    /// A code that was typed alone, when it may be tried. Looks, in this order, whether the flow
    /// has tries left, something was typed, the code is alive, the text is a code, and a limit is
    /// used up. None of it uses up a try of the flow, and text that is not a code does not count
    /// against a limit. `subject` is who the try counts for, where that is not the browser. Throws
    /// `Refusal`: `.flowSpent`, `.codeMissing`, `.codeWrong`, `.limited`.
    func admit(
        _ typed: String, _ pending: PendingCode, as subject: LimitSubject? = nil, visitor: Visitor
    ) async throws -> AdmittedCode {
        guard !pending.isSpent else { throw Refusal.flowSpent }
        guard !typed.trimmingSpaces.isEmpty else { throw Refusal.codeMissing }
        // No code is right any more: tries are for the next one.
        guard codes.isAlive(pending) else { throw Refusal.codeWrong }
        guard let code = Code(typed: typed) else { throw Refusal.codeWrong }
        return try await count(code, pending, as: subject, visitor)
    }

    /// A code that was typed with a new password. The form is read first, so that all that is wrong
    /// with it is said at once and counts nowhere: tries, text and password, life, limit. `subject`
    /// is who the try counts for, where that is not the browser. Throws `Refusals` for the form and
    /// for a code that is not alive; `Refusal.flowSpent` and `.limited`.
    func admit(
        _ form: CodeAndPassword, _ pending: PendingCode, as subject: LimitSubject? = nil, visitor: Visitor
    ) async throws -> (AdmittedCode, Password) {
        guard !pending.isSpent else { throw Refusal.flowSpent }
        let code = Code(typed: form.code)
        let unread: Refusal = form.code.trimmingSpaces.isEmpty ? .codeMissing : .codeWrong
        let refusals = try await passwords.refusals(
            form.password, email: pending.email.typed, displayName: nil, client: visitor.client)
        guard let code, refusals.isEmpty else { throw Refusals((code == nil ? [unread] : []) + refusals) }
        // No code is right any more: tries are for the next one.
        guard codes.isAlive(pending) else { throw Refusals([.codeWrong]) }
        return (try await count(code, pending, as: subject, visitor), form.password.password)
    }

    /// Calls `redeem` with the password's hash and returns its result. The store tells the
    /// account's name only after a right code, which it then does not use up; the password is
    /// judged with that name, and `redeem` is called again. Throws `Refusals` for a password made
    /// of the name; then what was `counted` is given back.
    func judgingByName<Value>(
        _ new: NewPassword, _ hash: PasswordHash, _ pending: PendingCode, _ counted: [LimitClaim], _ visitor: Visitor,
        _ redeem: (JudgedHash) async throws -> Value
    ) async throws -> Value {
        var name: String?
        while true {
            do { return try await redeem(JudgedHash(hash: hash, name: name)) } catch let unjudged as NameUnjudged {
                name = unjudged.name
                let refusals = try await passwords.refusals(
                    new, email: pending.email.typed, displayName: name, client: visitor.client)
                guard refusals.isEmpty else {
                    try await limits.giveBack(counted)
                    throw Refusals(refusals)
                }
            }
        }
    }

    /// What the store compares a code with and counts it by. `accountID` is of the account that is
    /// told of a wrong one, where it is known.
    func attempt(
        _ code: Code, _ pending: PendingCode, _ limit: ShortCodeLimit, isKnown: Bool, accountID: AccountID?,
        visitor: Visitor
    ) -> CodeAttempt {
        CodeAttempt(
            digests: codes.digests(code, flow: pending.flow), failuresKey: key.failuresKey(pending.email),
            failure: audit.event(.codeFailed, accountID: accountID, visitor: visitor),
            limit: isKnown || code.isLong ? nil : limit
        )
    }

    /// Logs a wrong code, which the store has counted. Returns `Refusal.codeWrong`, or `.flowOver`
    /// after the last try.
    func refuse(_ attempt: CodeAttempt, _ pending: PendingCode, visitor: Visitor) -> Refusal {
        audit.log(attempt.failure, visitor: visitor)
        return pending.attempts + 1 < Code.attempts ? .codeWrong : .flowOver
    }

    private func count(
        _ code: Code, _ pending: PendingCode, as subject: LimitSubject?, _ visitor: Visitor
    ) async throws -> AdmittedCode {
        let (own, isKnown) = try await browsers.recoverySubject(visitor, email: pending.email, flow: pending.flow)
        let counted = try await limits.take(.verify, subject ?? own, now: now())
        return AdmittedCode(code: code, isKnown: isKnown, counted: counted)
    }
}
