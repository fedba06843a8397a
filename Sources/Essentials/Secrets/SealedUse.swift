/// What is sealed and where it belongs: what was sealed for one use opens for no other.
package enum SealedUse: Sendable {
    /// The contents of a mail in the outbox.
    case mail(id: String)
    /// What a provider granted for an identity.
    case grant(issuer: String, subject: String)
    /// What a browser carries in a cookie of that kind.
    case cookie(name: String)
    /// Where a visitor goes after signing in, as a link of an application's host says.
    case handOver
    /// A form that waits for a proof by somebody signed in.
    case heldForm(sessionID: String)
    /// A key that signs assertions.
    case signingKey(id: String)
    /// The key of an account's authenticator app.
    case totpKey(account: String)
    /// What an account's recovery codes are digested with.
    case recoveryKey(account: String)
    /// What a form of a session carries in a hidden field of that name.
    case form(name: String, session: String)

    var purpose: SecretKey.Purpose {
        switch self {
        case .mail: .sealMail
        case .grant: .sealGrant
        case .cookie: .sealCookie
        case .handOver: .sealHandOver
        case .heldForm: .sealHeldForm
        case .signingKey: .sealSigningKey
        case .totpKey: .sealTOTPKey
        case .recoveryKey: .sealRecoveryKey
        case .form: .sealForm
        }
    }

    /// Authenticated with the contents. An issuer is a URL and has no NUL; nor has the name of a
    /// field.
    var context: [UInt8] {
        switch self {
        case .mail(let id): Array(id.utf8)
        case .grant(let issuer, let subject): Array(issuer.utf8) + [0] + Array(subject.utf8)
        case .cookie(let name): Array(name.utf8)
        case .handOver: []
        case .heldForm(let id): Array(id.utf8)
        case .signingKey(let id): Array(id.utf8)
        case .totpKey(let account), .recoveryKey(let account): Array(account.utf8)
        case .form(let name, let session): Array(name.utf8) + [0] + Array(session.utf8)
        }
    }

    /// Whether some may rest in the database that was sealed by a version that bound it to no use.
    var mayBeUnbound: Bool {
        switch self {
        case .mail, .grant: true
        case .cookie, .handOver, .heldForm, .signingKey, .totpKey, .recoveryKey, .form: false
        }
    }
}
