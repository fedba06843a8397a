package import Essentials
package import Foundation

/// A passkey as it is kept: a credential of WebAuthn level 3 and what its owner calls it.
package struct Passkey: Sendable, Equatable {
    /// How many an account may have.
    package static let mostPerAccount = 20

    /// Names it on pages; opens nothing.
    package let id: String
    package let accountID: AccountID
    package let credential: StoredCredential
    /// Whether a password alone no longer opens the account. A passkey that a browser made by
    /// itself changes nothing for other browsers, so it is none.
    package let isSecondFactor: Bool
    /// When a passkey that a browser had made by itself became a second factor. Nil for others.
    let secondFactorSince: Date?
    package let name: String
    package let createdAt: Date
    /// Nil before the first sign-in with it.
    package let lastUsedAt: Date?

    package init(
        id: String, accountID: AccountID, credential: StoredCredential, isSecondFactor: Bool, name: String,
        createdAt: Date, lastUsedAt: Date? = nil, secondFactorSince: Date? = nil
    ) {
        (self.id, self.accountID, self.credential, self.name) = (id, accountID, credential, name)
        (self.isSecondFactor, self.secondFactorSince) = (isSecondFactor, secondFactorSince)
        (self.createdAt, self.lastUsedAt) = (createdAt, lastUsedAt)
    }

    /// Since when it has counted as what it is now.
    var countsSince: Date { secondFactorSince ?? createdAt }
}

/// What an authenticator has said of a passkey (WebAuthn level 3, section 4, credential record).
package struct StoredCredential: Sendable, Equatable {
    /// 16 to 1,023 bytes, unique in the store.
    package let id: [UInt8]
    package let publicKey: StoredPublicKey
    /// As the authenticator counted last. Many always say 0.
    package let signatureCount: UInt32
    /// Names the model of the authenticator: 16 bytes, often all 0.
    package let aaguid: [UInt8]
    /// How it can be reached, such as "internal" and "usb".
    package let transports: [String]
    package let backup: PasskeyBackup

    package init(
        id: [UInt8], publicKey: StoredPublicKey, signatureCount: UInt32, aaguid: [UInt8], transports: [String],
        backup: PasskeyBackup
    ) {
        (self.id, self.publicKey, self.signatureCount) = (id, publicKey, signatureCount)
        (self.aaguid, self.transports, self.backup) = (aaguid, transports, backup)
    }
}

/// A public key and the COSE algorithm it is for (RFC 9053): -7, -8 or -257.
package struct StoredPublicKey: Sendable, Equatable {
    package let algorithm: Int
    package let bytes: [UInt8]

    package init(algorithm: Int, bytes: [UInt8]) {
        (self.algorithm, self.bytes) = (algorithm, bytes)
    }
}

/// Whether a passkey may be, and is, copied to other devices (WebAuthn, flags BE and BS).
package struct PasskeyBackup: Sendable, Equatable {
    package let isEligible: Bool
    package let isBackedUp: Bool

    package init(isEligible: Bool, isBackedUp: Bool) {
        (self.isEligible, self.isBackedUp) = (isEligible, isBackedUp)
    }
}

/// A passkey, whose it is, and the handle by which authenticators know the account.
package struct PasskeyRecord: Sendable, Equatable {
    package let passkey: Passkey
    package let account: Account
    /// 64 bytes.
    package let userHandle: [UInt8]

    package init(passkey: Passkey, account: Account, userHandle: [UInt8]) {
        (self.passkey, self.account, self.userHandle) = (passkey, account, userHandle)
    }
}
