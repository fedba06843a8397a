import Essentials

/// A file for nginx's conf.d (nginx 1.19.4 or newer).
struct NginxConfig {
    let plan: ProxyPlan
    /// Folder with a folder of each host, as certbot makes them.
    let certificates: String

    var text: String {
        let servers = [publicServer] + plan.others.map(server)
        let maps = hasFolders ? [Self.maps, Self.keeping] : [Self.maps]
        return ([Self.head, upstream] + maps + [otherNames] + redirect + servers).joined(separator: "\n\n")
    }

    private static let head = """
        # Made by `vestibule proxy-config nginx`: a file for conf.d, included in http { }.
        """

    /// The name of the upstream that stands for Vestibule.
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

    /// Upgrades lead to WebSockets only, by a value of our own.
    private static let maps = """
        map $http_upgrade $vestibule_upgrade {
            default "";
            ~*^websocket$ websocket;
        }
        map $http_upgrade $vestibule_connection {
            default "";
            ~*^websocket$ upgrade;
        }
        """

    private var hasFolders: Bool {
        plan.sites.contains { if case .folder = $0.target { true } else { false } }
    }

    private static let keeping = """
        # A page that a browser keeps would be shown after signing out, too: by the way back, without asking.
        map $sent_http_content_type $vestibule_keeping {
            default "private, no-cache";
            ~^(text/html|text/plain|application/pdf) no-store;
        }
        """

    /// Read with the default server of an address while `Host` is not known yet.
    private static let strictness = """
        # Names with underscores, dots and other marks are dropped. Nothing may switch that off in http { }.
        underscores_in_headers off;
        ignore_invalid_headers on;
        """

    private var origins: [Origin] { [plan.publicURL.origin] + plan.others.map(\.origin) }

    /// A name that leads here and is not set up, such as one that somebody else has in their DNS,
    /// is served by nobody.
    private var otherNames: String {
        var addresses = redirect.isEmpty ? [] : ["80", "[::]:80"]
        for address in origins.flatMap(Self.addresses(of:)) where !addresses.contains(address) {
            addresses.append(address)
        }
        let listen = addresses.map { "listen \($0) default_server;" }
        let hasTLS = origins.contains(where: \.isSecure)
        let inside = listen + (hasTLS ? ["ssl_reject_handshake on;"] : []) + [Self.strictness, "return 444;"]
        return "# Other names get no answer.\n" + Self.block("server", inside.joined(separator: "\n"))
    }

    private var redirect: [String] {
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
        let listen = Self.addresses(of: origin).map { "listen \($0);" }
        let folder = "\(certificates)/\(origin.host)"
        let keys = ["ssl_certificate \"\(folder)/fullchain.pem\";", "ssl_certificate_key \"\(folder)/privkey.pem\";"]
        let lines =
            listen + ["server_name \(origin.host);"] + (origin.isSecure ? keys : []) + [Self.strictness] + inside
        return Self.block("server", lines.joined(separator: "\n"))
    }

    /// Where a server listens for that origin, as `listen` takes it.
    private static func addresses(of origin: Origin) -> [String] {
        let hosts = origin.loopback.map { ["\($0):"] } ?? ["", "[::]:"]
        return hosts.map { "\($0)\(origin.port)\(origin.isSecure ? " ssl" : "")" }
    }

    static func block(_ head: String, _ inside: String) -> String {
        "\(head) {\n\(inside.indented(by: 4))\n}"
    }
}
