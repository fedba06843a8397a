package import Essentials
package import Foundation
package import Hummingbird

/// A flash on its way to the next page, sealed, so that nobody else can make our pages say
/// anything.
package struct FlashCookie: Sendable {
    let cookies: SiteCookies
    let key: SecretKey
    let now: @Sendable () -> Date
    /// Seconds.
    static let lifetime = 120

    package init(cookies: SiteCookies, key: SecretKey, now: @escaping @Sendable () -> Date) {
        self.cookies = cookies
        self.key = key
        self.now = now
    }

    private struct Carried: Codable {
        let flash: Flash
        let expiresAt: Date
    }

    private static let use = SealedUse.cookie(name: SiteCookies.Kind.flash.rawValue)

    package func set(_ flash: Flash) throws -> Cookie {
        let expiresAt = now().addingTimeInterval(Double(Self.lifetime))
        let sealed = try key.sealedText(Carried(flash: flash, expiresAt: expiresAt), for: Self.use)
        return cookies.set(.flash, sealed, maxAge: Self.lifetime)
    }

    /// Returns nil for a value that was not sealed here, or too long ago.
    package func flash(_ value: String) -> Flash? {
        let carried = key.opened(value, atMost: 4096, for: Self.use, as: Carried.self)
        return carried.flatMap { now() < $0.expiresAt ? $0.flash : nil }
    }
}
