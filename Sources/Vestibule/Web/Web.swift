import Essentials
import Foundation
import Serving

/// What every feature's routes use to answer.
struct Web: Sendable {
    let pages: Pages
    let cookies: SiteCookies
    let guardian: SignedInGuard
    let returnTo: ReturnTo
    let providers: Providers
    let audit: Audit
    let now: @Sendable () -> Date

    var typed: TypedCookie { TypedCookie(cookies: cookies, key: guardian.key) }
    var flashes: FlashCookie { FlashCookie(cookies: cookies, key: guardian.key, now: now) }
}
