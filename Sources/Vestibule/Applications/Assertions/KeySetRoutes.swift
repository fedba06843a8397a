import HTTPTypes
import Hummingbird
import NIOCore

/// `/.well-known/jwks.json`: the public keys that verify assertions and ID tokens.
struct KeySetRoutes {
    static let path = "/.well-known/jwks.json"
    let keys: KeySet

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get(RouterPath(Self.path)) { _, _ in try await Self.answer(keys) }
    }

    /// Verifiers keep it for five minutes: so long a key that was taken away is believed.
    static func answer(_ keys: KeySet) async throws -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/jwk-set+json", .cacheControl: "public, max-age=300"],
            body: .init(byteBuffer: ByteBuffer(bytes: try await keys.document())))
    }
}
