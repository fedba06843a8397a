import Essentials
import Foundation
import Serving

/// What every feature's routes use to answer.
struct Web: Sendable {
    let pages: Pages
    let cookies: SiteCookies
    let key: SecretKey
    let publicURL: PublicURL
    let returnTo: ReturnTo
    let audit: Audit
    let now: @Sendable () -> Date

    var typed: TypedCookie { TypedCookie(cookies: cookies, key: key) }
    var flashes: FlashCookie { FlashCookie(cookies: cookies, key: key, now: now) }
}
