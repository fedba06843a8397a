package import Essentials
package import Foundation

/// The providers of this site.
package struct Providers: Sendable {
    let all: [Provider]

    /// `passed` is monotonic time since an arbitrary start.
    package init(
        _ settings: [ProviderSettings], publicURL: PublicURL,
        passed: @escaping @Sendable () -> Duration = SteadyClock.sinceStart
    ) {
        all = settings.map { provider in
            let plain = [Origin(ofURL: provider.issuer)].compactMap { $0 }.filter { !$0.isSecure }
            let http = OutboundHTTP(plainOrigins: Set(plain), threads: 8)
            return Provider(provider, publicURL: publicURL, http: http, passed: passed)
        }
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
    package func label(_ name: String) -> String {
        named(name)?.settings.label ?? name
    }

    /// Checks all at the same time. Returns for each, in order, what is wrong; nil if nothing is.
    package func check(at now: Date) async -> [(name: String, issuer: String, problem: String?)] {
        let problems = await withTaskGroup(of: (String, String?).self) { group in
            for provider in all { group.addTask { (provider.settings.name, await provider.problem(at: now)) } }
            return await group.reduce(into: [String: String]()) { $0[$1.0] = $1.1 }
        }
        return all.map(\.settings).map { ($0.name, $0.issuer, problems[$0.name]) }
    }

    func start() {
        all.forEach { $0.http.start() }
    }

    func stop() {
        all.forEach { $0.http.stop() }
    }
}
