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
        let carried = try CompactJSON.encode(Carried(flash: flash, expiresAt: expiresAt))
        return cookies.set(
            .flash, Base64URL.encode(try key.seal(carried, for: Self.use)), maxAge: Self.lifetime)
    }

    /// Returns nil for a value that was not sealed here, or too long ago.
    package func flash(_ value: String) -> Flash? {
        guard value.utf8.count <= 4096, let sealed = Base64URL.decode(value),
            let plain = try? key.open(sealed, for: Self.use),
            let carried = try? JSONDecoder().decode(Carried.self, from: Data(plain)), now() < carried.expiresAt
        else { return nil }
        return carried.flash
    }
}
