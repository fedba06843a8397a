import Essentials
import Serving

extension SecurityHeaders {
    init(_ settings: Settings) {
        let targets = settings.returnToOrigins + [Origin(ofURL: settings.afterLoginURL)].compactMap { $0 }
        // Such a target may be an application that signs in by OpenID Connect on the way.
        let applications = settings.applications.filter { $0.origins.contains(where: targets.contains) }
        self.init(
            isSecure: settings.publicURL.isSecure,
            formTargets: targets.map(\.text) + applications.flatMap(\.formTargets))
    }
}

extension ReturnTo {
    init(_ settings: Settings) {
        self.init(
            settings.publicURL, allowed: settings.returnToOrigins + settings.applications.flatMap(\.origins),
            afterLogin: settings.afterLoginURL)
    }
}

extension Mount {
    /// What programs ask for at the root of a host: health, proxies that ask for a verdict, and the
    /// well-known documents (RFC 8615).
    static let programs = otherHosts.union(["healthz", "readyz", ".well-known"])
    private static let otherHosts: Set = ["authz", ".vestibule"]

    init(_ settings: Settings) {
        self.init(settings.publicURL, outside: Self.programs, otherHosts: Self.otherHosts)
    }

    /// Whether a proxy passes its answers on under an application's host.
    @Sendable static func isForOtherHosts(_ path: String) -> Bool {
        otherHosts.contains(firstSegment(of: path))
    }

    /// Whether programs ask for it, under whatever host they know: it shows nobody's session, or
    /// looks at the host itself.
    static func isForPrograms(_ path: String) -> Bool {
        programs.contains(firstSegment(of: path))
    }
}

extension KnownHosts {
    init(_ settings: Settings) {
        self.init(
            [settings.publicURL.origin] + settings.applications.flatMap(\.origins),
            takesLoopback: settings.mode == .development)
    }
}

extension LoopbackOnly {
    init(_ settings: Settings) {
        self.init(isOn: settings.answersLoopbackOnly)
    }
}

extension ConnectionSettings {
    init(_ settings: Settings, patience: Duration = patience) {
        self.init(
            headers: SecurityHeaders(settings), proxies: ClientAddressFinder(trusted: settings.trustedProxies),
            loopbackOnly: LoopbackOnly(settings), perClient: settings.connectionsPerClient, patience: patience)
    }
}
