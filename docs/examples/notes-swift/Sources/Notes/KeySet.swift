import Foundation
import JWTKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The keys that assertions are signed with: read at most once an hour, and sooner, but not more
/// than once in ten seconds, when an assertion names another key.
actor KeySet {
    private let url: URL
    private var known: Set<String> = []
    private var collection = JWTKeyCollection()
    private var readAt: ContinuousClock.Instant?

    init(url: URL) {
        self.url = url
    }

    /// The keys to verify it with; nil if it is not signed with one of them.
    func collection(for assertion: String) async throws -> JWTKeyCollection? {
        let parsed = try? DefaultJWTParser().parse(Array(assertion.utf8), as: Visitor.self)
        guard let header = parsed?.header, header.alg == "ES256", let kid = header.kid else { return nil }
        let patience: Duration = known.contains(kid) ? .seconds(3600) : .seconds(10)
        if readAt.map({ .now - $0 > patience }) ?? true { try await read() }
        return known.contains(kid) ? collection : nil
    }

    private func read() async throws {
        readAt = .now
        let (data, _) = try await URLSession.shared.data(from: url)
        let keys = try JSONDecoder().decode(JWKS.self, from: data)
        collection = try await JWTKeyCollection().add(jwks: keys)
        known = Set(keys.keys.compactMap { $0.keyIdentifier?.string })
    }
}
