import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Whose account it is.
struct User: Codable, Sendable, Equatable {
    let id: String, email: String, name: String
}

/// What the server says when it refuses: `code` is for the program, `detail` for people.
struct AuthError: Decodable, Error {
    let code: String, detail: String
}

/// Accounts and sessions of a Vestibule server. `keep` stores the token (`nil`: removes it), on a device in the Keychain.
actor AuthClient {
    private struct Answer: Decodable { var token, flow: String?, user: User? }

    private let server: URL
    private let keep: @Sendable (String?) -> Void
    private var token: String?
    private var user: User?
    private var watchers: [UUID: AsyncStream<User?>.Continuation] = [:]

    init(server: URL, token: String? = nil, keep: @escaping @Sendable (String?) -> Void) {
        (self.server, self.token, self.keep) = (server, token, keep)
    }

    /// Returns the flow to give to `verify` with the code from the mail; `nil` where no code is asked for.
    func signUp(name: String, email: String, password: String) async throws -> String? {
        let body = ["name": name, "email": email, "password": password, "terms": "accepted"]
        return try await signedIn(call("POST", "sign-up", body)).flow
    }

    @discardableResult func verify(flow: String, code: String) async throws -> User? {
        try await signedIn(call("POST", "sign-up/verify", ["flow": flow, "code": code])).user
    }

    @discardableResult func signIn(email: String, password: String) async throws -> User? {
        try await signedIn(call("POST", "sign-in", ["email": email, "password": password])).user
    }

    func signOut() async throws {
        defer { change(token: nil, user: nil) }
        _ = try await call("POST", "sign-out")
    }

    /// Who the kept token belongs to; asked once after a start, and whenever it matters.
    func currentUser() async throws -> User? {
        guard let token else { return nil }
        do {
            let found = try await call("GET", "session").user
            // Somebody may have signed in or out while we asked.
            if self.token == token { change(token: token, user: found) }
        } catch let error as AuthError {
            guard error.code == "session_expired" else { throw error }
            if self.token == token { change(token: nil, user: nil) }
        }
        return user
    }

    /// Who is signed in, now and at every change; `nil` for nobody.
    func users() -> AsyncStream<User?> {
        let (stream, watcher) = AsyncStream.makeStream(of: User?.self)
        let id = UUID()
        watchers[id] = watcher
        watcher.yield(user)
        watcher.onTermination = { _ in Task { await self.leave(id) } }
        return stream
    }

    private func leave(_ id: UUID) { watchers[id] = nil }

    private func signedIn(_ answer: Answer) -> Answer {
        if let token = answer.token { change(token: token, user: answer.user) }
        return answer
    }

    private func change(token: String?, user: User?) {
        if token != self.token { keep(token) }
        if user != self.user { for watcher in watchers.values { watcher.yield(user) } }
        (self.token, self.user) = (token, user)
    }

    private func call(_ method: String, _ path: String, _ body: [String: String]? = nil) async throws -> Answer {
        var request = URLRequest(url: server.appending(path: "api/auth/\(path)"))
        request.httpMethod = method
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        if let body {
            request.httpBody = try JSONEncoder().encode(body)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        let (data, response) = try await URLSession.shared.data(for: request)
        guard let status = (response as? HTTPURLResponse)?.statusCode, status < 400 else {
            throw try JSONDecoder().decode(AuthError.self, from: data)
        }
        return data.isEmpty ? Answer() : try JSONDecoder().decode(Answer.self, from: data)
    }
}
