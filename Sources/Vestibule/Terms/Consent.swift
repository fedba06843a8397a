package import Foundation

/// Proof of what was agreed to: which text, when, in which language, from where.
package struct Consent: Sendable, Equatable {
    package let id: String
    package let version: String
    /// SHA-256 of the text that was shown.
    package let textDigest: [UInt8]
    package let acceptedAt: Date
    package let locale: String
    /// Network address of the browser.
    package let address: String

    package init(
        id: String, version: String, textDigest: [UInt8], acceptedAt: Date, locale: String, address: String
    ) {
        self.id = id
        self.version = version
        self.textDigest = textDigest
        self.acceptedAt = acceptedAt
        self.locale = locale
        self.address = address
    }
}
