import VestibuleClient

/// Codes by mail.
extension AuthServiceStub {
    func begin(_ purpose: StubFlow.Purpose, _ email: String) -> Secret {
        let flow = Secret("flow-\(next())")
        var begun = StubFlow(purpose: purpose, email: email)
        if case .secondStep = purpose {} else { begun.code = mail(to: email) }
        flows[flow] = begun
        return flow
    }

    func renew(_ flow: Secret) async throws {
        try await answer()
        guard let begun = flows[flow], begun.tries < 5 else { throw Refusal.flowOver }
        flows[flow]?.code = mail(to: begun.email)
    }

    private func mail(to email: String) -> Secret {
        let code = Secret("\(100_000 + next())")
        mails[email] = code
        return code
    }

    /// Five tries a flow, as a server has it.
    func redeem(_ flow: Secret, _ code: Secret) throws -> StubFlow {
        guard let begun = flows[flow] else { throw Refusal.flowOver }
        guard begun.tries < 5 else { throw Refusal.flowEnded }
        guard !code.text.isEmpty else { throw Refusal.wrong(.code, "missing", "Enter the code from the email.") }
        guard begun.code == code else {
            flows[flow]?.tries += 1
            throw begun.tries < 4 ? Refusal.example(.otpIncorrect) : Refusal.flowOver
        }
        flows[flow] = nil
        return begun
    }
}
