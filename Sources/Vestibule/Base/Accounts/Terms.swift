import Crypto
import Essentials
import Foundation

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
