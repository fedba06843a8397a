package import Essentials

/// An application behind this site: the proxy in front of it asks whether a request may pass, or it
/// signs people in by OpenID Connect.
package struct ProtectedApplication: Sendable, Equatable {
    /// As in the names of its settings, in lower case.
    package let name: String
    package let origins: [Origin]
    /// What pages call it.
    package let label: String
    /// A picture below `Public`, without a slash in front.
    package var icon: String?
    /// Members of one of these groups may enter; empty for everybody who is signed in.
    package var groups: [String] = []
    /// Whether it gets the `Remote-*` headers besides the assertion.
    package var wantsPlainHeaders = false
    /// Nil if it does not sign in by OpenID Connect.
    package var client: OpenIDClient?

    /// Where a form may lead on the way into it, as `form-action` has them.
    package var formTargets: [String] {
        origins.map(\.text) + (client.map { $0.redirects + $0.logoutRedirects } ?? []).map(\.source)
    }

    /// Whether somebody who is in these groups may enter.
    package func admits(groups memberships: [String]) -> Bool {
        groups.isEmpty || memberships.contains { membership in groups.contains { membership.isExactly($0) } }
    }
}

/// The applications that the settings name; any other origin is refused.
package struct Applications: Sendable {
    package let all: [ProtectedApplication]
    private let byOrigin: [Origin: ProtectedApplication]

    /// No two may share an origin; the first keeps it.
    package init(_ all: [ProtectedApplication]) {
        self.all = all
        let pairs = all.flatMap { application in application.origins.map { ($0, application) } }
        byOrigin = Dictionary(pairs) { first, _ in first }
    }

    package func application(at origin: Origin) -> ProtectedApplication? {
        byOrigin[origin]
    }

    /// Whether any signs in by OpenID Connect.
    package var hasClients: Bool { all.contains { $0.client != nil } }

    /// The client of OpenID Connect with that id.
    package func client(_ id: String) -> ProtectedApplication? {
        all.first { $0.client != nil && $0.name.isExactly(id) }
    }

    /// The one of that name, in upper or lower case.
    package func application(named name: String) -> ProtectedApplication? {
        all.first { $0.name == name.asciiLowercased }
    }
}
