import Essentials

/// A file for Traefik's file provider (Traefik 3.7.12 or newer). No test runs it.
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
        # Made by `vestibule proxy-config traefik`: a file for the file provider, for Traefik 3.7.12 or newer.
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
            routers.append(
                router(name, site.origin, "", ["vestibule-clean", "\(name)-verdict", "vestibule-hide"], name))
        }
        return routers
    }

    private var wellKnown: String { plan.wellKnown.map { "Path(`\($0)`)" }.joined(separator: " || ") }

    /// Longer rules come first.
    private func router(
        _ name: String, _ origin: Origin, _ rule: String, _ middlewares: [String], _ service: String
    ) -> String {
        """
        \(name):
          rule: "Host(`\(origin.host)`)\(rule)"
          entryPoints: [\(origin.isSecure ? "websecure" : "web")]
          middlewares: [\(middlewares.joined(separator: ", "))]
          service: \(service)\(origin.isSecure ? "\n  tls: {}" : "")
        """
    }

    private var middlewares: [String] {
        let gone = IdentityHeaders.all + IdentityHeaders.aliases + IdentityHeaders.questions
        let verdicts = plan.sites.enumerated().map { index, site in
            """
            app\(index)-verdict:
              forwardAuth:
                address: "http://\(plan.server)/authz/forward-auth"
                trustForwardHeader: false
                authResponseHeaders: [\(site.headers.joined(separator: ", "))]
            """
        }
        return [
            Self.removal("vestibule-clean", gone), Self.removal("vestibule-hide", ["Vestibule-Token"]),
        ] + verdicts
    }

    private static func removal(_ name: String, _ headers: [String]) -> String {
        """
        \(name):
          headers:
            customRequestHeaders:
        \(headers.map { "      \($0): \"\"" }.joined(separator: "\n"))
        """
    }

    private var services: [String] {
        let applications = plan.sites.enumerated().map { index, site in
            switch site.target {
            case .server(let server): (name: "app\(index)", server: server)
            // Traefik serves no files: something else has to.
            case .folder: (name: "app\(index)", server: "127.0.0.1:\(3000 + index)")
            }
        }
        return ([(name: "vestibule", server: plan.server)] + applications).map { service in
            """
            \(service.name):
              loadBalancer:
                servers:
                  - url: "http://\(service.server)"
            """
        }
    }
}
