public import Foundation

/// What proves a second factor.
public enum SecondFactorMethod: String, Sendable, Hashable, CaseIterable, Codable {
    /// A passkey, signing a challenge of the server.
    case passkey
    /// A code of an authenticator app (RFC 6238).
    case totp
    /// One of the codes that were shown once; each works once.
    case recoveryCode = "recovery_code"
}

/// The passkeys, the authenticator app and the recovery codes of an account.
public struct Factors: Sendable, Hashable, Codable {
    /// Whether a second step follows the password.
    public var hasSecondStep: Bool
    /// Every passkey of the account.
    public var passkeys: [Passkey]
    /// The authenticator app, if there is one.
    public var totp: AuthenticatorApp?
    /// The recovery codes, if some were made.
    public var recoveryCodes: RecoveryCodesLeft?

    private enum CodingKeys: String, CodingKey {
        case hasSecondStep = "secondStep", passkeys, totp, recoveryCodes
    }

    /// Factors for previews and tests.
    public init(
        hasSecondStep: Bool = false, passkeys: [Passkey] = [], totp: AuthenticatorApp? = nil,
        recoveryCodes: RecoveryCodesLeft? = nil
    ) {
        (self.hasSecondStep, self.passkeys) = (hasSecondStep, passkeys)
        (self.totp, self.recoveryCodes) = (totp, recoveryCodes)
    }
}

/// A passkey of an account.
public struct Passkey: Sendable, Hashable, Codable, Identifiable {
    /// Names it in calls.
    public let id: String
    /// What its owner calls it.
    public var name: String
    /// Whether it is asked for after a password. One that a browser made by itself is not.
    public var isSecondFactor: Bool
    /// When it was added.
    public let createdAt: Date
    /// When it last signed somebody in; nil if never.
    public let lastUsedAt: Date?

    /// A passkey for previews and tests.
    public init(id: String, name: String, isSecondFactor: Bool, createdAt: Date, lastUsedAt: Date? = nil) {
        (self.id, self.name, self.isSecondFactor) = (id, name, isSecondFactor)
        (self.createdAt, self.lastUsedAt) = (createdAt, lastUsedAt)
    }
}

/// The authenticator app of an account.
public struct AuthenticatorApp: Sendable, Hashable, Codable {
    /// When it was added.
    public let createdAt: Date
    /// When a code of it was last used; nil if never.
    public let lastUsedAt: Date?

    /// An app for previews and tests.
    public init(createdAt: Date, lastUsedAt: Date? = nil) {
        (self.createdAt, self.lastUsedAt) = (createdAt, lastUsedAt)
    }
}

/// How many recovery codes are left; which, only their owner knows.
public struct RecoveryCodesLeft: Sendable, Hashable, Codable {
    /// Codes not used yet, of ten.
    public let left: Int
    /// When they were made.
    public let createdAt: Date

    /// A number for previews and tests.
    public init(left: Int, createdAt: Date) {
        (self.left, self.createdAt) = (left, createdAt)
    }
}

/// A key for an authenticator app, which counts once a code of it was confirmed.
public struct AuthenticatorSetup: Sendable, Hashable, Codable {
    /// For `confirmAuthenticator`.
    public let setup: Secret
    /// The key in base32, for typing.
    public let key: Secret
    /// `otpauth://…`: for a QR code, or to open an app on the same device.
    public let uri: Secret

    /// A key for previews and tests.
    public init(setup: Secret, key: Secret, uri: Secret) {
        (self.setup, self.key, self.uri) = (setup, key, uri)
    }
}
