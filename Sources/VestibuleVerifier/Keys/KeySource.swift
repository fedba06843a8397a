public import Foundation

/// Where the public keys of the sign-in are read: a JSON Web Key Set (RFC 7517 section 5).
public struct KeySource: Sendable {
    let read: @Sendable () async throws -> Data

    /// Keys that your own code reads, with a client for HTTP of your own or from a file.
    ///
    /// The verifier calls it when it needs keys that it does not have, never twice at a time and at
    /// most once a minute; once a second until it has had keys. A request with an unknown key waits
    /// for it: give it limits of time and of size. What it throws is said in
    /// ``AssertionError/keysUnavailable(_:)``.
    public init(read: @escaping @Sendable () async throws -> Data) {
        self.read = read
    }

    /// Keys at an address: that of the application's host, or, within one network, that of the
    /// sign-in itself, such as `http://127.0.0.1:8080/.well-known/jwks.json`.
    ///
    /// Redirects are not followed; an answer has 5 seconds and at most 64 KiB.
    public static func address(_ text: String) -> KeySource {
        KeySource {
            guard let url = URL(string: text) else { throw URLError(.badURL) }
            return try await KeyDownload.data(from: url)
        }
    }
}
