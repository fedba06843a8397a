extension PasskeyRegistration {
    /// Makes a passkey that the browser made by itself the second step, too. Returns nil if the
    /// account has no such passkey. Throws `Superseded`.
    func useForSecondStep(
        _ id: String, of record: SessionRecord, _ factors: RequestFactors, visitor: Visitor
    ) async throws -> Outcome? {
        let before = try await factors.read(store)
        guard let passkey = before.passkeys.first(where: { $0.id == id }), !passkey.isSecondFactor else { return nil }
        let addition = try await changes.prepareAddition(
            .init(mail: .passkeySecondStep, event: .passkeySecondStep), record, passkey: id, to: before,
            ["name": passkey.name], visitor: visitor)
        guard try await store.useForSecondStep(passkeyID: id, addition.change) else { return nil }
        let renewed = changes.made(addition, record, visitor: visitor)
        return Outcome(renewed: renewed, lacksRecoveryCodes: offersCodes && before.recoveryCodes == nil)
    }
}
