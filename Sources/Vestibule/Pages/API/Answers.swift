import Essentials
import Foundation
import Hummingbird
import Serving

/// What calls of the API answer with.
extension JSONObject {
    /// Who an account belongs to.
    static func user(_ account: Account) -> JSONObject {
        [
            "id": account.id, "email": account.email.ascii, "email_verified": account.verifiedAt != nil,
            "name": account.displayName, "created_at": account.createdAt,
        ]
    }

    /// A signed-in browser or app, as its owner may see it; its name is the `device`.
    static func session(_ session: Session, isCurrent: Bool) -> JSONObject {
        [
            "id": session.id, "device": Device(userAgent: session.userAgent).name,
            "address": session.address?.description, "created_at": session.lifetime.createdAt,
            "last_seen_at": session.lifetime.lastSeenAt, "expires_at": session.lifetime.expiresAt, "current": isCurrent,
        ]
    }

    /// What every way of signing in answers: the token, and whose it is.
    static func signedIn(_ token: Token, _ session: Session, _ account: Account) -> JSONObject {
        [
            "token": token.text, "expires_at": session.lifetime.expiresAt, "user": user(account),
            // Raised terms wait: nothing else works before they are accepted.
            "terms_required": session.awaitsTerms,
        ]
    }

    /// A flow that waits for the code from a mail; the handle binds it to the client that began it.
    static func flow(_ flow: Token, status: String? = nil) -> JSONObject {
        ["flow": flow.text, "status": status]
    }
}

extension JSONReply {
    /// The new token of a session; the one before opens nothing any more. Nothing is read: what
    /// failed then would keep the token from its owner.
    static func renewed(_ token: Token, _ record: SessionRecord) throws -> Response {
        try of(JSONObject.signedIn(token, record.session, record.account))
    }
}
