import ArgumentParser
import Essentials
import Vestibule

/// `vestibule proxy-config`
struct ProxyConfig: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "proxy-config",
        abstract: "Print what to put into the proxy for the applications in the settings.",
        discussion: """
            A part of a Caddyfile, a file for nginx's conf.d, or a file for Traefik's file provider. It is made of the \
            settings that serve reads: print it anew when they change.
            """
    )

    enum Proxy: String, ExpressibleByArgument, CaseIterable {
        case caddy, nginx, traefik
    }

    @OptionGroup var options: CommonOptions

    @Argument(help: "caddy, nginx or traefik.")
    var proxy: Proxy

    @Option(
        help: "Where an application is: NAME=PORT, NAME=HOST:PORT, or NAME=/FOLDER of files. May be repeated.",
        transform: ProxyTarget.read)
    var to: [ProxyTarget] = []

    @Option(help: "Folder with HOST/fullchain.pem and HOST/privkey.pem, for nginx.")
    var certificates = "/etc/letsencrypt/live"

    func run() throws {
        let settings = try options.settings()
        let plan = try ProxyPlan(settings, targets: to)
        let text =
            switch proxy {
            case .caddy: CaddyConfig(plan: plan).text
            case .nginx: NginxConfig(plan: plan, certificates: certificates).text
            case .traefik: TraefikConfig(plan: plan).text
            }
        let output = Output()
        try output.line(text)
        try output.flush()
        for application in settings.applications where application.origins.isEmpty {
            Output.note(
                "\(application.label) is left out: the proxy asks for no application without "
                    + "\(application.name(of: .origins)).")
        }
        if settings.trustedProxies.isEmpty {
            Output.note(
                "VESTIBULE_TRUSTED_PROXIES is not set. Until it has the proxy's address as this server sees it, no "
                    + "application is answered.")
        }
        let origin = settings.publicURL.origin
        if origin.loopback != nil, origin.port.isExactly("\(settings.port)") {
            Output.note(
                "the proxy would listen where this server does: VESTIBULE_PUBLIC_URL (\(origin.text)) is where people "
                    + "reach the proxy, VESTIBULE_PORT (\(settings.port)) where the proxy reaches this server. "
                    + "Change one of them.")
        }
    }
}

extension String {
    /// Each line but empty ones moved to the right.
    func indented(by spaces: Int) -> String {
        let margin = String(repeating: " ", count: spaces)
        return textLines.map { $0.isEmpty ? "" : margin + $0 }.joined(separator: "\n")
    }
}
