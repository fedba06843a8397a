import Essentials
import NIOCore
import Synchronization

/// Everything a page of the account depends on.
struct AccountPage: Sendable, Equatable {
    let section: AccountSection
    let record: SessionRecord
    let content: Content
    let formToken: String
    let locale: String

    /// What a section shows besides the account itself.
    enum Content: Sendable, Equatable {
        case profile
        case security(AccountOverview, AccountFactors)
        case devices(AccountOverview, [TrustedBrowser], this: TokenDigest?)
        case activity(AccountOverview)
        /// `entered`: names of OpenID Connect clients.
        case data(AccountOverview, seenBy: [ApplicationConsent], entered: [String])
    }

    fileprivate var key: RenderedPages.Key { RenderedPages.Key(session: record.sessionID, section: section) }
}

/// The account pages rendered last: the same page for the same session is not rendered twice.
final class RenderedPages: Sendable {
    struct Key: Hashable {
        let session: SessionID
        let section: AccountSection
    }

    private let pages = Mutex<[Key: (shown: AccountPage, body: ByteBuffer)]>([:])
    private static let keptAtMost = 500
    /// In bytes. Few pages are longer; 500 that are would take too much memory.
    private static let longest = 65_536

    /// The page as it was rendered before, when nothing on it has changed.
    package func body(of shown: AccountPage) -> ByteBuffer? {
        pages.withLock { pages in
            guard let kept = pages[shown.key], kept.shown == shown else { return nil }
            return kept.body
        }
    }

    func keep(_ body: ByteBuffer, of shown: AccountPage) {
        guard body.readableBytes <= Self.longest else { return }
        pages.withLock { pages in
            if pages.count >= Self.keptAtMost { pages = [:] }
            pages[shown.key] = (shown, body)
        }
    }
}
