import Crypto
package import Foundation

/// The terms in force: their version, and in each language the text that is shown.
package struct Terms: Sendable {
    package let version: String
    private let digests: [String: [UInt8]]
    private let random: Randomness

    /// `texts` are the terms pages as shown, by locale.
    package init(version: String, texts: [String: String], random: Randomness) {
        self.version = version
        digests = texts.mapValues { [UInt8](SHA256.hash(data: Array($0.utf8))) }
        self.random = random
    }

    /// Consent given now, to the text in the visitor's language.
    package func consent(visitor: Visitor, at now: Date) -> Consent {
        Consent(
            id: random.id(), version: version, textDigest: digests[visitor.locale] ?? [], acceptedAt: now,
            locale: visitor.locale, address: visitor.client.description
        )
    }
}
