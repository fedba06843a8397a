import Essentials

/// What a client asks for at `/oauth/authorize`, with everything checked that does not depend on
/// who answers it. It is carried, sealed, through the pages of the sign-in: so its names are short.
struct AuthorizationRequest: Codable, Sendable, Equatable {  // Parts: those of the sealed text.
    /// The client's id.
    let client: String
    let redirect: String
    let state: String?
    let usesForm: Bool
    let scopes: String
    var nonce: String?
    /// S256 (RFC 7636 section 4.2).
    var challenge: String?
    var prompts: Set<Prompt> = []
    /// Seconds.
    var maxAge: Int?
    /// Whom an ID token that came along is about.
    var hintedSubject: String?
    /// Seconds since 1970.
    var madeAt: Double = 0

    /// Of OpenID Connect Core section 3.1.2.1; others are left out.
    enum Prompt: String, Codable, Sendable, CaseIterable {
        case none, login, consent
        case account = "select_account"
    }

    private enum CodingKeys: String, CodingKey {
        case client = "c"
        case redirect = "r"
        case state = "s"
        case usesForm = "f"
        case scopes = "o"
        case nonce = "n"
        case challenge = "h"
        case prompts = "p"
        case maxAge = "a"
        case hintedSubject = "i"
        case madeAt = "m"
    }

    /// The most bytes that its JSON can have. Each that may be escaped counts for six; names,
    /// numbers and prompts count for 200.
    var mostBytes: Int {
        let texts = [client, redirect, state, scopes, nonce, challenge, hintedSubject].compactMap { $0 }
        return texts.reduce(200) { sum, text in
            text.utf8.reduce(sum) { $0 + (0x20..<0x7F ~= $1 && $1 != 0x22 && $1 != 0x5C ? 1 : 6) }
        }
    }

    /// How old, in seconds, the sign-in may be that the client asks for: 0 with `prompt=login`, nil
    /// means any age.
    var effectiveMaxAge: Int? { prompts.contains(.login) ? 0 : maxAge }
    /// Whether the client wants the question even where there is no need for it.
    var forcesQuestion: Bool { !prompts.isDisjoint(with: [.consent, .account]) }
    /// Whether the client wants an answer about another account.
    func expectsAnother(than accountID: AccountID) -> Bool {
        hintedSubject.map { !$0.isExactly(accountID.rawValue) } ?? false
    }
    var isSilent: Bool { prompts.contains(.none) }
    var target: AuthorizationTarget { AuthorizationTarget(redirect: redirect, state: state, usesForm: usesForm) }
}

/// Where an answer to a client goes.
struct AuthorizationTarget: Sendable, Equatable {
    let redirect: String
    let state: String?
    let usesForm: Bool
}

/// Why a request is not answered with a code.
enum AuthorizationFault: Error, Equatable {
    /// Nobody knows who asks, or where an answer may be sent: a page of ours says so.
    case shown(Page)
    /// The client learns it (RFC 6749 section 4.1.2.1, OpenID Connect Core section 3.1.2.6).
    case sent(String, String, AuthorizationTarget)

    /// Ends the keys of its sentences.
    enum Page: String {
        case unreadable, client, redirect, spent
    }
}
