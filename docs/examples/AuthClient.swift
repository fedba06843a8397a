import Foundation
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Accounts and sessions of a Vestibule server. `keep` stores the token (`nil`: removes it), on a device in the Keychain.
actor AuthClient {
    struct User: Decodable, Sendable, Equatable { let id, email, name: String }
    /// What the server says when it refuses: `code` is for the program, `detail` for people.
    struct Refused: Decodable, Error { let code, detail: String }
    private struct Answer: Decodable { var token, flow: String?, user: User? }

    /// Who is signed in, whenever that is learnt or changes; `nil` for nobody. For one listener.
    nonisolated let users: AsyncStream<User?>
    private let server: URL, keep: @Sendable (String?) -> Void, changes: AsyncStream<User?>.Continuation
    private var token: String? { didSet { keep(token) } }
    private var user: User? { didSet { changes.yield(user) } }

    init(server: URL, token: String? = nil, keep: @escaping @Sendable (String?) -> Void) {
        (self.server, self.token, self.keep) = (server, token, keep)
        (users, changes) = AsyncStream.makeStream()
        if token == nil { changes.yield(nil) }
    }

    /// Returns the flow for `verify`, which takes the code from the mail; `nil` where no code is asked for.
    func signUp(name: String, email: String, password: String) async throws -> String? {
        try await enter("sign-up", ["name": name, "email": email, "password": password, "terms": "accepted"])
    }
    func verify(flow: String, code: String) async throws {
        try await enter("sign-up/verify", ["flow": flow, "code": code])
    }
    func signIn(email: String, password: String) async throws {
        try await enter("sign-in", ["email": email, "password": password])
    }
    func signOut() async throws {
        let left = token
        defer { if token == left { (token, user) = (nil, nil) } }  // Not if somebody signed in meanwhile.
        _ = try await call("POST", "sign-out")
    }
    /// Who the kept token belongs to; asked after a start, and whenever it matters.
    func currentUser() async throws -> User? {
        guard let asked = token else { return nil }
        do {
            let answer = try await call("GET", "session")
            if token == asked { user = answer.user }
        } catch let refused as Refused where refused.code == "session_expired" {
            if token == asked { (token, user) = (nil, nil) }
        }
        return user
    }

    @discardableResult private func enter(_ path: String, _ body: [String: String]) async throws -> String? {
        let answer = try await call("POST", path, body)
        if let token = answer.token { (self.token, user) = (token, answer.user) }
        return answer.flow
    }
    private func call(_ method: String, _ path: String, _ body: [String: String]? = nil) async throws -> Answer {
        var request = URLRequest(url: server.appending(path: "api/auth/\(path)"))
        (request.httpMethod, request.httpBody) = (method, try body.map { try JSONEncoder().encode($0) })
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        let (data, response) = try await URLSession.shared.data(for: request)
        let isRefused = (response as? HTTPURLResponse)?.statusCode ?? 500 >= 400
        guard !isRefused else { throw try JSONDecoder().decode(Refused.self, from: data) }
        return data.isEmpty ? Answer() : try JSONDecoder().decode(Answer.self, from: data)
    }
}
