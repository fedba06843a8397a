import Essentials

/// A file for nginx's conf.d (nginx 1.18 or newer).
struct NginxConfig {
    let plan: ProxyPlan
    /// Folder with a folder of each host, as certbot makes them.
    let certificates: String

    var text: String {
        let servers = [publicServer] + plan.others.map(server)
        return ([Self.head, upstream, Self.maps] + redirect + servers).joined(separator: "\n\n")
    }

    private static let head = """
        # Made by `vestibule proxy-config nginx`: a file for conf.d, included in http { }.
        """

    /// Of Vestibule in what proxies are told.
    static let upstreamName = "vestibule_server"

    /// Every request to an application asks for a verdict: a connection for each would cost more
    /// than the answer. Ours closes silent connections after thirty seconds.
    private var upstream: String {
        Self.block(
            "upstream \(Self.upstreamName)",
            """
            server \(plan.server);
            # Connections are kept, but not as long as Vestibule keeps them.
            keepalive 64;
            keepalive_timeout 20s;
            """)
    }

    /// Upgrades lead to WebSockets only. Of each cookie of ours one is cut out; when there was
    /// another that opens something, planted beside it, no cookie is passed on.
    private static let maps = """
        map $http_upgrade $vestibule_upgrade {
            default "";
            ~*^websocket$ websocket;
        }
        map $http_upgrade $vestibule_connection {
            default "";
            ~*^websocket$ upgrade;
        }
        # What opens Vestibule is not shown to applications.
        map $http_cookie $vestibule_cookie_without_session {
            default $http_cookie;
            "~^(?<before_session>(?:.*;)? *)(?:__Host-)?vestibule=[^;]*(?:; *)?(?<after_session>.*)$" $before_session$after_session;
        }
        map $vestibule_cookie_without_session $vestibule_cookie_without_app {
            default $vestibule_cookie_without_session;
            "~^(?<before_app>(?:.*;)? *)(?:__Host-)?vestibule-app=[^;]*(?:; *)?(?<after_app>.*)$" $before_app$after_app;
        }
        map $vestibule_cookie_without_app $vestibule_cookie_without_start {
            default $vestibule_cookie_without_app;
            "~^(?<before_start>(?:.*;)? *)(?:__Host-)?vestibule-start=[^;]*(?:; *)?(?<after_start>.*)$" $before_start$after_start;
        }
        map $vestibule_cookie_without_start $vestibule_cookie {
            default $vestibule_cookie_without_start;
            "~(?:^|; *)(?:__Host-)?vestibule(?:-app)?=" "";
        }
        """

    private var redirect: [String] {
        let origins = [plan.publicURL.origin] + plan.others.map(\.origin)
        let hosts = origins.filter { $0.isSecure && $0.port.isExactly("443") }.map { $0.host }
        guard !hosts.isEmpty else { return [] }
        let inside = """
            listen 80;
            listen [::]:80;
            server_name \(hosts.joined(separator: " "));
            return 301 https://$host$request_uri;
            """
        return [Self.block("server", inside)]
    }

    /// Where people sign in. Nobody but the proxy itself asks for verdicts and readiness.
    private var publicServer: String {
        let (origin, path) = (plan.publicURL.origin, plan.publicURL.path)
        let refused = ["readyz", "authz/"].map { Self.block("location \(path)/\($0)", "return 404;") }
        let locations = NginxLocations(plan: plan, origin: origin)
        var inside = refused + [locations.vestibule("\(path)/")]
        if !path.isEmpty {
            let exact = ["= \(path)"] + plan.wellKnown.map { "= \($0)" } + ["/.vestibule/"]
            inside += exact.map(locations.vestibule)
        }
        if let shared = plan.shared { inside += locations.application(shared) }
        return server(origin, inside)
    }

    private func server(_ site: ProxyPlan.Site) -> String {
        let locations = NginxLocations(plan: plan, origin: site.origin)
        return "# \(site.label)\n"
            + server(site.origin, [locations.vestibule("/.vestibule/")] + locations.application(site))
    }

    private func server(_ origin: Origin, _ inside: [String]) -> String {
        let address = origin.isOnThisMachine ? ["127.0.0.1:"] : ["", "[::]:"]
        let listen = address.map { "listen \($0)\(origin.port)\(origin.isSecure ? " ssl" : "");" }
        let folder = "\(certificates)/\(origin.host)"
        let keys = ["ssl_certificate \"\(folder)/fullchain.pem\";", "ssl_certificate_key \"\(folder)/privkey.pem\";"]
        let lines =
            listen + ["server_name \(origin.host);"] + (origin.isSecure ? keys : []) + [
                "# Names with underscores and dots are dropped. Nothing may switch that off in http { }.",
                "underscores_in_headers off;",
                "ignore_invalid_headers on;",
            ] + inside
        return Self.block("server", lines.joined(separator: "\n"))
    }

    static func block(_ head: String, _ inside: String) -> String {
        "\(head) {\n\(inside.indented(by: 4))\n}"
    }
}
