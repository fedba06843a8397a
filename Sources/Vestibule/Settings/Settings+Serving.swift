import Essentials
import Serving

extension SecurityHeaders {
    init(_ settings: Settings) {
        let targets =
            settings.returnToOrigins + settings.applications.flatMap(\.origins)
            + [Origin(ofURL: settings.afterLoginURL)].compactMap { $0 }
        self.init(isSecure: settings.publicURL.isSecure, formTargets: targets)
    }
}

extension ReturnTo {
    package init(_ settings: Settings) {
        self.init(
            allowed: Set(settings.returnToOrigins + [settings.publicURL.origin]), afterLogin: settings.afterLoginURL)
    }
}

extension LoopbackOnly {
    init(_ settings: Settings) {
        self.init(isOn: settings.answersLoopbackOnly)
    }
}

extension ConnectionSettings {
    init(_ settings: Settings) {
        self.init(
            headers: SecurityHeaders(settings), proxies: ClientAddressFinder(trusted: settings.trustedProxies),
            loopbackOnly: LoopbackOnly(settings), perClient: settings.connectionsPerClient)
    }
}
