import Essentials

/// What a client may ask for; raw values are those of OpenID Connect Core section 5.4.
enum Scope: String, Sendable, CaseIterable {
    case openid, profile, email, groups
    /// Refresh tokens, which live as long as the session.
    case offline = "offline_access"
}

/// Scopes in the order of the cases, each once.
package struct Scopes: Sendable, Equatable {
    let all: [Scope]

    /// Of a list separated by spaces; what is unknown is left out (OpenID Connect Core section
    /// 3.1.2.1).
    package init(_ text: String) {
        let names = text.parts(by: " ")
        all = Scope.allCases.filter { scope in names.contains { $0.isExactly(scope.rawValue) } }
    }

    private init(all: [Scope]) {
        self.all = all
    }

    package var text: String { all.map(\.rawValue).joined(separator: " ") }

    func contains(_ scope: Scope) -> Bool { all.contains(scope) }

    func without(_ scope: Scope) -> Scopes { Scopes(all: all.filter { $0 != scope }) }

    package func isCovered(by granted: Scopes) -> Bool { all.allSatisfy(granted.contains) }
}
