import Essentials

/// Asks the addresses of an application that signs in by OpenID Connect, for the operator.
package struct ClientProbe: Sendable {
    private let client: OpenIDClient
    private let label: String

    /// Returns nil for another application.
    package init?(_ application: ProtectedApplication) {
        guard let client = application.client else { return nil }
        (self.client, label) = (client, application.label)
    }

    /// What is wrong with them, seen from this machine.
    package func problems() async -> [String] {
        let https = (client.redirects + client.logoutRedirects).map(\.text).filter { $0.begins(with: "https://") }
        var problems: [String] = []
        for origin in Set(https.compactMap { Origin(ofURL: $0) }).sorted(by: { $0.text < $1.text }) {
            // Any answer shows that TLS is spoken there.
            guard case .failure(let reason) = await ask(OutboundRequest(url: "\(origin.text)/")) else { continue }
            problems.append("\(label) at \(origin.text) does not answer: \(reason)")
        }
        if let url = client.logoutURL, let problem = await logoutProblem(url) {
            problems.append("\(label) is not told of logouts: \(url) \(problem)")
        }
        return problems
    }

    /// An application refuses a call that has no token (OpenID Connect Back-Channel Logout 1.0
    /// section 2.8).
    private func logoutProblem(_ url: String) async -> String? {
        var request = OutboundRequest(url: url)
        request.form = ["logout_token": ""]
        if let origin = Origin(ofURL: url) { request.addresses = .publicOr(origin) }
        switch await ask(request) {
        case .success(400): return nil
        case .success(let status): return "answers \(status); one without a token is refused by 400"
        case .failure(let reason): return "does not answer: \(reason)"
        }
    }

    private enum Reply {
        case success(status: Int)
        case failure(String)
    }

    private func ask(_ request: OutboundRequest) async -> Reply {
        var request = request
        request.readsAtMost = 1024
        let http = OutboundHTTP(plainOrigins: Set([Origin(ofURL: request.url)].compactMap { $0 }))
        defer { http.stop() }
        do {
            return .success(status: try await http.send(request).status)
        } catch {
            return .failure(error.reason)
        }
    }
}
