import Crypto
import Essentials
import Foundation
import WebAuthn

/// Makes, renames and removes the passkeys of somebody who is signed in.
struct PasskeyRegistration: Sendable {
    let store: any FactorStore
    let challenges: PasskeyChallenges
    let relyingParty: RelyingParty
    /// Whether recovery codes are made at all.
    let offersCodes: Bool
    let changes: FactorChanges
    let inUse: WaysInUse
    let random: Randomness
    let now: @Sendable () -> Date
    /// How long after a password a browser may make a passkey by itself, in seconds.
    private static let silentLifetime: TimeInterval = 300

    /// What was sent.
    struct Form: Sendable {
        /// An authenticator's response in JSON.
        let response: String
        let challenge: PasskeyChallenge?
        /// What its owner calls it; empty for a name worked out here.
        let name: String
        /// Whether the browser made it by itself, after a sign-up with a password.
        let isByItself: Bool
    }

    /// What follows.
    struct Outcome: Sendable {
        let renewed: RenewedBrowser
        /// Whether codes should be made now, for the day the passkey is lost.
        let lacksRecoveryCodes: Bool
    }

    /// What a browser is asked to make. An authenticator that has one for the account makes no
    /// other: that would take its place there, and the old one would stay in the list. Throws
    /// `Refusal.passkeysFull`.
    func options(
        for record: SessionRecord, _ factors: RequestFactors
    ) async throws -> (json: [UInt8], challenge: String) {
        try await requireRoom(factors)
        let (factors, account) = (try await factors.read(store), record.account)
        let handle = UserHandle(bytes: factors.userHandle ?? random.bytes(64)) ?? UserHandle.random(random)
        let issued = try challenges.issue(for: .register(record.sessionID), userHandle: handle.bytes)
        let options = CreationOptions(
            challenge: issued.challenge, relyingParty: relyingParty, userHandle: handle,
            userName: account.email.typed, displayName: account.displayName,
            excluded: factors.passkeys.compactMap { CredentialID(bytes: $0.credential.id) })
        return (try options.json(), issued.sealed)
    }

    /// Throws `Refusal.passkeysFull` if the account has as many as there can be.
    func requireRoom(_ factors: RequestFactors) async throws {
        guard try await factors.read(store).passkeys.count < Passkey.mostPerAccount else { throw Refusal.passkeysFull }
    }

    /// Options for a new proof by somebody who is signed in.
    func proofOptions(
        for record: SessionRecord, _ factors: RequestFactors
    ) async throws -> (json: [UInt8], challenge: String) {
        try challenges.options(for: .prove(record.sessionID), of: await factors.read(store), relyingParty)
    }

    /// Adds a passkey; the session is then proved by it. Throws `Refusal.passkeyNotMade`,
    /// `.passkeysFull`, `.passkeyNameInvalid` and `Superseded`.
    func add(
        _ form: Form, to record: SessionRecord, _ factors: RequestFactors, visitor: Visitor
    ) async throws -> Outcome {
        try await requireRoom(factors)
        let name = try name(form.name)
        guard let challenge = form.challenge, let bytes = WebAuthnChallenge(bytes: challenge.bytes) else {
            throw Refusal.passkeyNotMade
        }
        let once = form.isByItself ? [challenge.once, try silentOnce(record.session)] : [challenge.once]
        let made = try registered(form, bytes, visitor)
        let before = try await factors.read(store)
        let passkey = passkey(made, form, name ?? Self.name(of: made, besides: before.passkeys), record)
        var values = ["name": passkey.name]
        if form.isByItself { values["by_itself"] = "yes" }
        let addition = try await changes.prepareAddition(
            .init(mail: .passkeyAdded, event: .passkeyAdded), record, passkey: passkey.id, to: before, values,
            proved: form.isByItself ? nil : .passkey, isFactor: !form.isByItself, visitor: visitor)
        do {
            let isAdded = try await store.addPasskey(
                passkey, userHandle: challenge.userHandle, once: once, addition.change)
            guard isAdded else { throw Refusal.passkeyNotMade }
        } catch is UsedBefore {
            throw Refusal.passkeyNotMade
        }
        let renewed = changes.made(addition, record, visitor: visitor)
        let asksSecondStep = passkey.isSecondFactor || before.asksSecondStep
        return Outcome(
            renewed: renewed, lacksRecoveryCodes: offersCodes && asksSecondStep && before.recoveryCodes == nil)
    }

    /// A browser makes a passkey by itself right after a sign-up with a password, once a session:
    /// a stolen session, or one that is left open, makes none. Nor is one made where a second
    /// factor is required, as it would be none. Throws `Refusal.passkeyNotMade`.
    private func silentOnce(_ session: Session) throws(Refusal) -> Once {
        let (proof, lifetime) = (session.proof, session.lifetime)
        let sinceProof = now().timeIntervalSince(proof.at)
        // A second factor that was proved since says nothing of the password.
        let isOfPassword = proof.by == .password && (proof.secondFactor == nil || proof.at == lifetime.createdAt)
        guard isOfPassword, sinceProof < Self.silentLifetime, !changes.sessions.requiresFactor else {
            throw .passkeyNotMade
        }
        let digest = SHA256.hash(data: Array("passkey by itself \(session.id.rawValue)".utf8))
        return Once(digest: TokenDigest(bytes: [UInt8](digest)), until: lifetime.expiresAt)
    }

    /// Throws `Refusal.passkeyNameInvalid`. Returns false if the account has no such passkey.
    func rename(_ id: String, to typed: String, by record: SessionRecord) async throws -> Bool {
        guard let name = try name(typed) else { throw Refusal.passkeyNameInvalid }
        return try await store.renamePasskey(id: id, by: record.presented, name: name)
    }

    /// The session's new token if the passkey was removed.
    func remove(
        _ id: String, from record: SessionRecord, _ factors: RequestFactors, visitor: Visitor
    ) async throws -> (removal: PasskeyRemoval, token: Token) {
        var values = ["name": try await factors.read(store).passkeys.first { $0.id == id }?.name ?? ""]
        if offersCodes { values["codes"] = "yes" }
        let (token, change) = try changes.prepare(
            .init(mail: .passkeyRemoved, event: .passkeyRemoved), record, values, visitor: visitor)
        let removal = try await store.removePasskey(id: id, inUse: inUse, change)
        if removal == .removed { changes.made(change, visitor: visitor) }
        return (removal, token)
    }

    private func registered(
        _ form: Form, _ challenge: WebAuthnChallenge, _ visitor: Visitor
    ) throws -> RegisteredCredential {
        do {
            let response = try RegistrationResponse(json: Array(form.response.utf8))
            return try response.verify(
                challenge: challenge, relyingParty: relyingParty, requiresUserVerification: !form.isByItself,
                isConditional: form.isByItself)
        } catch let refusal as WebAuthnRefusal {
            changes.audit.log(refusal, visitor: visitor)
            throw Refusal.passkeyNotMade
        }
    }

    private func passkey(
        _ made: RegisteredCredential, _ form: Form, _ name: String, _ record: SessionRecord
    ) -> Passkey {
        let credential = StoredCredential(
            id: made.id.bytes,
            publicKey: StoredPublicKey(algorithm: made.publicKey.algorithm.rawValue, bytes: made.publicKey.bytes),
            signatureCount: made.signatureCount, aaguid: made.aaguid, transports: made.transports,
            backup: PasskeyBackup(isEligible: made.isBackupEligible, isBackedUp: made.isBackedUp))
        return Passkey(
            id: random.id(), accountID: record.accountID, credential: credential, isSecondFactor: !form.isByItself,
            name: name, createdAt: now())
    }

    /// Who keeps it, as far as that is known, with a number where there is one of that name. The
    /// browser does not tell: a passkey works in others, too.
    private static func name(of made: RegisteredCredential, besides others: [Passkey]) -> String {
        let name = AuthenticatorNames.name(aaguid: made.aaguid) ?? "Passkey"
        let names = [name] + (2...Passkey.mostPerAccount + 1).map { "\(name) \($0)" }
        return names.first { name in !others.contains { $0.name.isExactly(name) } } ?? name
    }

    /// Nil for an empty one. Throws `Refusal.passkeyNameInvalid` for one that is too long, cannot
    /// be shown, or looks like a link to mail readers: mails about the account have the names of
    /// passkeys.
    private func name(_ typed: String) throws(Refusal) -> String? {
        let name = typed.trimmedAndComposed
        guard !name.isEmpty else { return nil }
        guard name.unicodeScalars.count <= 64, name.isShowable, !name.mayBecomeLink else {
            throw .passkeyNameInvalid
        }
        return name
    }
}

extension MailContent.Kind {
    static let passkeyAdded = Self("passkey-added")
    static let passkeySecondStep = Self("passkey-second-step")
    static let passkeyRemoved = Self("passkey-removed")
}
