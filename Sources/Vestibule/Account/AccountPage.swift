import NIOCore
import Synchronization

/// Everything the account page depends on.
struct AccountPage: Sendable, Equatable {
    let record: SessionRecord
    let overview: AccountOverview
    let formToken: String
    let notice: String?
    let locale: String
}

/// The account pages rendered last: the same page for the same session is not rendered twice.
final class RenderedPages: Sendable {
    private let pages = Mutex<[String: (shown: AccountPage, body: ByteBuffer)]>([:])
    private static let keptAtMost = 500

    /// The page as it was rendered before, when nothing on it has changed.
    func body(of shown: AccountPage) -> ByteBuffer? {
        pages.withLock { pages in
            guard let kept = pages[shown.record.session.id], kept.shown == shown else { return nil }
            return kept.body
        }
    }

    func keep(_ body: ByteBuffer, of shown: AccountPage) {
        pages.withLock { pages in
            if pages.count >= Self.keptAtMost { pages = [:] }
            pages[shown.record.session.id] = (shown, body)
        }
    }
}
