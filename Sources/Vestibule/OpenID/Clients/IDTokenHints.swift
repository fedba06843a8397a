import Essentials

/// Reads ID tokens that come back as `id_token_hint`.
struct IDTokenHints: Sendable {
    let keys: [SigningKeys]
    /// The public URL.
    let issuer: String

    /// What an ID token of ours says; it may have expired.
    struct Hint: Sendable {
        let client: String
        let subject: String
        let session: SessionID
    }

    /// Returns nil for a text that is no ID token of ours, or was signed by a key that is gone.
    func read(_ text: String) async throws -> Hint? {
        guard text.utf8.count <= 16 * 1024 else { return nil }
        for each in keys {
            guard let bytes = try await each.claims(of: text) else { continue }
            guard case .object(let claims) = try? JSONParser.parse(bytes), claims["iss"] == .string(issuer),
                case .string(let client)? = claims["aud"], case .string(let subject)? = claims["sub"],
                case .string(let session)? = claims["sid"]
            else { return nil }
            return Hint(client: client, subject: subject, session: SessionID(rawValue: session))
        }
        return nil
    }
}
