import Essentials
import Foundation
import Hummingbird
import Serving

/// Who an account belongs to.
struct User: Encodable {
    let id: AccountID
    let email: String
    let emailVerified: Bool
    let name: String
    let createdAt: Date

    init(_ account: Account) {
        id = account.id
        email = account.email.typed
        emailVerified = account.verifiedAt != nil
        name = account.displayName
        createdAt = account.createdAt
    }
}

/// A signed-in browser or app, as its owner may see it.
struct SessionEntry: Encodable {
    let id: SessionID
    /// The app's or browser's name.
    let device: String?
    let address: String?
    let createdAt: Date
    let lastSeenAt: Date
    let expiresAt: Date
    let current: Bool

    init(_ session: Session, isCurrent: Bool) {
        id = session.id
        device = Device(userAgent: session.userAgent).name
        address = session.address?.description
        createdAt = session.createdAt
        lastSeenAt = session.lastSeenAt
        expiresAt = session.expiresAt
        current = isCurrent
    }
}

/// What every way of signing in answers: the token, and whose it is.
struct SessionAnswer: Encodable {
    let token: String
    let expiresAt: Date
    let user: User
    /// Raised terms wait: nothing else works before they are accepted.
    let termsRequired: Bool

    init(_ token: Token, _ session: Session, _ account: Account) {
        self.token = token.text
        expiresAt = session.expiresAt
        user = User(account)
        termsRequired = session.awaitsTerms
    }
}

/// A flow that waits for the code from a mail; the handle binds it to the client that began it.
struct FlowAnswer: Encodable {
    var status: String?
    let flow: String

    init(_ flow: Token, status: String? = nil) {
        self.flow = flow.text
        self.status = status
    }
}

extension JSONReply {
    /// The new token of a session; the one before opens nothing any more. Nothing is read: what
    /// failed then would keep the token from its owner.
    static func renewed(_ token: Token, _ record: SessionRecord) throws -> Response {
        try of(SessionAnswer(token, record.session, record.account))
    }
}
