package import Essentials
package import Foundation

/// Proof of what was agreed to: which text, when, in which language, from where.
package struct Consent: Sendable, Equatable {
    package let id: String
    package let version: String
    /// SHA-256 of the text that was shown.
    package let textDigest: [UInt8]
    package let acceptedAt: Date
    package let locale: String
    /// Of the browser.
    package let address: IPAddress?

    package init(
        id: String, version: String, textDigest: [UInt8], acceptedAt: Date, locale: String, address: IPAddress?
    ) {
        self.id = id
        self.version = version
        self.textDigest = textDigest
        self.acceptedAt = acceptedAt
        self.locale = locale
        self.address = address
    }
}
