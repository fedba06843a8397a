public import Foundation

/// What a passkey is to sign, or what a new one is to be made for (WebAuthn level 3, sections 5.4
/// and 5.5). Counts for five minutes, once.
public struct PasskeyRequest: Sendable {
    /// The host that passkeys of this server belong to.
    public let relyingParty: String
    /// The bytes to be signed.
    public let challenge: Data
    /// The ids of the passkeys that may answer; empty if any may.
    public let allowed: [Data]
    /// The ids of the passkeys that the account has: an authenticator with one of them makes no new
    /// one.
    public let excluded: [Data]
    /// Whether the authenticator checks who uses it: `required`, `preferred` or `discouraged`.
    public let userVerification: String
    /// Whom a new passkey is for; nil if one is to sign.
    public let owner: Owner?
    /// Goes back to the server with the answer.
    let handle: Secret

    /// Whom a new passkey is for.
    public struct Owner: Sendable {
        /// An id without meaning, for the authenticator.
        public let id: Data
        /// What the authenticator shows: the email address.
        public let name: String

        /// An owner for previews and tests.
        public init(id: Data, name: String) {
            (self.id, self.name) = (id, name)
        }
    }

    /// A request for previews and tests.
    public init(
        relyingParty: String, challenge: Data, allowed: [Data] = [], excluded: [Data] = [],
        userVerification: String = "required", owner: Owner? = nil
    ) {
        (self.relyingParty, self.challenge, self.allowed) = (relyingParty, challenge, allowed)
        (self.excluded, self.userVerification) = (excluded, userVerification)
        (self.owner, handle) = (owner, "")
    }
}

extension PasskeyRequest: Decodable {
    private struct Wire: Decodable {
        struct Options: Decodable {
            struct Party: Decodable { let id: String? }
            struct Person: Decodable { let id, name: String }
            struct Credential: Decodable { let id: String }
            struct Selection: Decodable { let userVerification: String? }
            let challenge: String
            let rpId: String?
            let rp: Party?
            let user: Person?
            let allowCredentials, excludeCredentials: [Credential]?
            let userVerification: String?
            let authenticatorSelection: Selection?
        }
        let challenge: Secret
        let options: Options
    }

    /// Reads what the server answers.
    public init(from decoder: any Decoder) throws {
        let wire = try Wire(from: decoder)
        let options = wire.options
        func bytes(_ text: String) throws -> Data {
            guard let data = Data(base64URL: text) else { throw NetworkTrouble.strangeAnswer }
            return data
        }
        guard let host = options.rpId ?? options.rp?.id else { throw NetworkTrouble.strangeAnswer }
        (relyingParty, challenge, handle) = (host, try bytes(options.challenge), wire.challenge)
        allowed = try (options.allowCredentials ?? []).map { try bytes($0.id) }
        excluded = try (options.excludeCredentials ?? []).map { try bytes($0.id) }
        // The default of WebAuthn.
        userVerification =
            options.userVerification ?? options.authenticatorSelection?.userVerification ?? "preferred"
        owner = try options.user.map { Owner(id: try bytes($0.id), name: $0.name) }
    }
}
