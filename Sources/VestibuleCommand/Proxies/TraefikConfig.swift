import Essentials

/// A file for Traefik's file provider (Traefik 3.7.13 or newer). No test runs it.
struct TraefikConfig {
    let plan: ProxyPlan

    var text: String {
        let (routers, services) = (self.routers, self.services)
        return """
            \(Self.head)
            http:
              routers:
            \(routers.joined(separator: "\n").indented(by: 4))
              middlewares:
            \(middlewares.joined(separator: "\n").indented(by: 4))
              services:
            \(services.joined(separator: "\n").indented(by: 4))
            """
    }

    private static let head = """
        # Made by `vestibule proxy-config traefik`: a file for the file provider, for Traefik 3.7.13 or newer:
        # those before have CVE-2026-88004, CVE-2026-88008 and CVE-2026-88009.
        # Other spellings of header names are removed by the entry points, in the static configuration:
        #   entryPoints: { websecure: { http: { aliasHeadersStrategy: delete } } }
        # Do not set forwardedHeaders.insecure, nor forwardedHeaders.trustedIPs to addresses of clients.
        """

    private var routers: [String] {
        let path = plan.publicURL.path
        let refused = ["readyz", "authz/"].map { " && !PathPrefix(`\(path)/\($0)`)" }.joined()
        let mine = path.isEmpty ? "" : " && (PathPrefix(`\(path)/`) || Path(`\(path)`) || \(wellKnown))"
        var routers = [router("vestibule", plan.publicURL.origin, mine + refused, ["vestibule-clean"], "vestibule")]
        for (index, site) in plan.sites.enumerated() {
            let name = "app\(index)"
            routers.append(
                router(
                    "\(name)-vestibule", site.origin, " && PathPrefix(`/.vestibule/`)", ["vestibule-clean"],
                    "vestibule"))
            let asking = ["\(name)-verdict", "vestibule-hide"]
            routers.append(
                router(
                    "\(name)-websocket", site.origin, " && HeaderRegexp(`Upgrade`, `(?i)^websocket$`)",
                    ["vestibule-clean", "vestibule-websocket"] + asking, name, priority: 2))
            routers.append(
                router(
                    name, site.origin, "", ["vestibule-clean", "vestibule-no-upgrade"] + asking, name, priority: 1))
        }
        return routers
    }

    private var wellKnown: String { plan.wellKnown.map { "Path(`\($0)`)" }.joined(separator: " || ") }

    /// Those without a priority come before those with one, longer rules first.
    private func router(
        _ name: String, _ origin: Origin, _ rule: String, _ middlewares: [String], _ service: String,
        priority: Int? = nil
    ) -> String {
        """
        \(name):
          rule: "Host(`\(origin.host)`)\(rule)"
          entryPoints: [\(origin.isSecure ? "websecure" : "web")]
          middlewares: [\(middlewares.joined(separator: ", "))]
          service: \(service)\(priority.map { "\n  priority: \($0)" } ?? "")\(origin.isSecure ? "\n  tls: {}" : "")
        """
    }

    private var middlewares: [String] {
        let aliases = IdentityHeaders.marks.flatMap { IdentityHeaders.spelled(IdentityHeaders.all, with: $0) }
        let gone =
            IdentityHeaders.all + aliases + IdentityHeaders.questions + IdentityHeaders.ofOthers + [
                IdentityHeaders.upgradeSettings
            ]
        let verdicts = plan.sites.enumerated().map { index, site in
            """
            app\(index)-verdict:
              forwardAuth:
                address: "http://\(plan.server)/authz/forward-auth"
                trustForwardHeader: false
                authResponseHeaders: [\(site.copied.joined(separator: ", "))]
            """
        }
        return [
            Self.requests("vestibule-clean", gone), Self.requests("vestibule-hide", ["Vestibule-Token"]),
            // An upgrade can leave HTTP, where nobody asks any more: what is passed on is our own.
            Self.requests("vestibule-websocket", ["Upgrade"], are: "websocket"),
            Self.requests("vestibule-no-upgrade", ["Upgrade"]),
        ] + verdicts
    }

    /// Sets headers of requests; an empty text removes them.
    private static func requests(_ name: String, _ headers: [String], are value: String = "") -> String {
        """
        \(name):
          headers:
            customRequestHeaders:
        \(headers.map { "      \"\($0)\": \"\(value)\"" }.joined(separator: "\n"))
        """
    }

    private var services: [String] {
        let applications = plan.sites.enumerated().map { index, site in
            switch site.target {
            case .server(let server):
                (site.isTargetGuessed ? "# Where \(site.label) listens: change it, or print this with --to.\n" : "")
                    + Self.service("app\(index)", server)
            case .folder(let folder):
                "# Traefik serves no files: put here the server of \(folder).\n"
                    + Self.service("app\(index)", "127.0.0.1:\(3000 + index)")
            }
        }
        return [Self.service("vestibule", plan.server)] + applications
    }

    private static func service(_ name: String, _ server: String) -> String {
        """
        \(name):
          loadBalancer:
            servers:
              - url: "http://\(server)"
        """
    }
}
