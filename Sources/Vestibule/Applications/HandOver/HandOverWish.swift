package import Essentials
import Foundation

/// Where a browser wants to go on an application's host.
package struct HandOverWish: Sendable, Equatable {
    package let origin: Origin
    package let target: RequestTarget
    /// Digest of the secret that the browser holds in its cookie on that host.
    package let browser: TokenDigest
    /// Whether it is the second try.
    package let isRetry: Bool

    /// Without the query, or for the application's first page, where the target is longer.
    func fitting(_ bytes: Int) -> HandOverWish {
        guard target.text.utf8.count > bytes else { return self }
        let path = String(target.text.parts(by: "?", atMost: 2)[0])
        let shorter = RequestTarget(path.utf8.count > bytes ? "/" : path) ?? target
        return HandOverWish(origin: origin, target: shorter, browser: browser, isRetry: isRetry)
    }
}

/// A wish as the link to the sign-in carries it, sealed; its names are short for the link's sake.
struct SealedWish: Codable {
    let origin: String
    let target: String
    /// As base64url.
    let browser: String
    let isRetry: Bool
    /// Seconds since 1970.
    let madeAt: Double

    init(_ wish: HandOverWish, madeAt: Date) {
        origin = wish.origin.text
        target = wish.target.text
        browser = Base64URL.encode(wish.browser.bytes)
        isRetry = wish.isRetry
        self.madeAt = madeAt.timeIntervalSince1970
    }

    private enum CodingKeys: String, CodingKey {
        case origin = "o"
        case target = "t"
        case browser = "b"
        case isRetry = "r"
        case madeAt = "m"
    }
}

extension HandOverWish {
    /// Returns nil if that names no origin or target.
    init?(_ kept: SealedWish) {
        guard let origin = Origin(kept.origin), let target = RequestTarget(kept.target),
            let browser = Base64URL.decode(kept.browser)
        else { return nil }
        self.init(origin: origin, target: target, browser: TokenDigest(bytes: browser), isRetry: kept.isRetry)
    }
}
