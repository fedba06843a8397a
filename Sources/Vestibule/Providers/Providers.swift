/// The providers of this site.
package struct Providers: Sendable {
    package let all: [Provider]
    private let http: OutboundHTTP?

    init(_ settings: Settings) {
        guard !settings.providers.isEmpty else {
            all = []
            http = nil
            return
        }
        let plain = settings.providers.compactMap { Origin(ofURL: $0.issuer) }.filter { !$0.isSecure }
        let http = OutboundHTTP(plainOrigins: Set(plain))
        self.http = http
        all = settings.providers.map { Provider($0, publicURL: settings.publicURL, http: http) }
    }

    /// The provider of that name; `nil` when it is not configured.
    func named(_ name: String) -> Provider? {
        all.first { $0.settings.name == name }
    }

    /// Where a provider's own page posts its answer, and the origin of that page.
    var formPosts: [String: String] {
        let apple = all.filter(\.settings.isApple)
        return Dictionary(
            apple.map { ("/auth/\($0.settings.name)/callback", $0.settings.issuer) },
            uniquingKeysWith: { first, _ in first })
    }

    /// What people call it; its name when it is not configured any more.
    func label(_ name: String) -> String {
        named(name)?.settings.label ?? name
    }

    /// Lets the threads for outbound calls end.
    func stop() {
        http?.stop()
    }
}
