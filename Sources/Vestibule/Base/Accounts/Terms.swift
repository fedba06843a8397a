import Crypto
package import Essentials
package import Foundation

/// The terms in force: their version, and in each language the text that is shown.
struct Terms: Sendable {
    let version: String
    private let digests: [String: Lazy<[UInt8]>]
    private let random: Randomness

    /// `text` gives the terms page as shown in one of the locales.
    init(
        version: String, locales: [String], text: @escaping @Sendable (_ locale: String) throws -> String,
        random: Randomness
    ) {
        self.version = version
        let digests = locales.map { locale in
            (locale, Lazy { [UInt8](SHA256.hash(data: Array(try text(locale).utf8))) })
        }
        self.digests = Dictionary(uniqueKeysWithValues: digests)
        self.random = random
    }

    /// Consent given now, to the text in the visitor's language. Throws `TemplateFault`.
    func consent(visitor: Visitor, at now: Date) throws -> Consent {
        Consent(
            id: random.id(), version: version, textDigest: try digests[visitor.locale]?.value() ?? [], acceptedAt: now,
            locale: visitor.locale, address: visitor.client.ipAddress
        )
    }
}

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
