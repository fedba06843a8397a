import Foundation

extension SecretKey {
    /// A value as text, for cookies, links and fields of forms: its JSON, sealed.
    package func sealedText(_ value: some Encodable, for use: SealedUse) throws -> String {
        Base64URL.encode(try seal(CompactJSON.encode(value), for: use))
    }

    /// The value of such a text. Returns nil for a text of more bytes than that, and for one that
    /// was not sealed here for that use.
    package func opened<Value: Decodable>(
        _ text: String, atMost bytes: Int = .max, for use: SealedUse, as _: Value.Type = Value.self
    ) -> Value? {
        guard text.utf8.count <= bytes, let sealed = Base64URL.decode(text), let plain = try? open(sealed, for: use)
        else { return nil }
        return try? JSONDecoder().decode(Value.self, from: Data(plain))
    }
}
