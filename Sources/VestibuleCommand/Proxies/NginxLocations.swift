import Essentials

/// The locations of one server block. The origin is written out: what a client says in `Host`
/// chooses the block and nothing else.
struct NginxLocations {
    let plan: ProxyPlan
    let origin: Origin

    private var scheme: String { origin.isSecure ? "https" : "http" }

    /// Passes everything on to Vestibule.
    func vestibule(_ place: String) -> String {
        NginxConfig.block(
            "location \(place)",
            """
            proxy_pass http://\(NginxConfig.upstreamName);
            \(common)
            proxy_set_header Host \(origin.authority);
            proxy_set_header Connection "";
            \(IdentityHeaders.questions.map { "proxy_set_header \($0) \"\";" }.joined(separator: "\n"))
            """)
    }

    /// Asks, and passes on what is allowed.
    func application(_ site: ProxyPlan.Site) -> [String] {
        let kept = site.copied.map { "auth_request_set $\(Self.variable($0)) $upstream_http_\(Self.upstream($0));" }
        let inside = """
            auth_request /.vestibule-verdict;
            auth_request_set $vestibule_location $upstream_http_location;
            \(kept.joined(separator: "\n"))
            error_page 401 = @vestibule_sign_in;
            \(target(site))
            """
        return [Self.signIn, verdict, NginxConfig.block("location /", inside)]
    }

    private static func variable(_ header: String) -> String {
        "vestibule_" + upstream(header)
    }

    /// As nginx names the header of an answer.
    private static func upstream(_ header: String) -> String {
        header.asciiLowercased.parts(by: "-").joined(separator: "_")
    }

    /// Sends page visits to the sign-in; other requests get 401.
    private static let signIn = """
        location @vestibule_sign_in {
            add_header Cache-Control no-store always;
            if ($vestibule_upgrade) {
                return 401;
            }
            if ($vestibule_location) {
                return 303 $vestibule_location;
            }
            return 401;
        }
        """

    /// Large enough for the headers of somebody who is in a hundred groups.
    private var verdict: String {
        NginxConfig.block(
            "location = /.vestibule-verdict",
            """
            internal;
            proxy_pass http://\(NginxConfig.upstreamName)/authz/auth-request;
            proxy_pass_request_body off;
            client_max_body_size 0;
            proxy_buffer_size 32k;
            proxy_buffers 8 32k;
            proxy_http_version 1.1;
            proxy_set_header Host \(origin.authority);
            proxy_set_header Content-Length "";
            proxy_set_header Connection "";
            proxy_set_header X-Original-URL \(origin.text)$request_uri;
            proxy_set_header X-Original-Method $request_method;
            proxy_set_header X-Forwarded-For $remote_addr;
            \(Self.unneeded.map { "proxy_set_header \($0) \"\";" }.joined(separator: "\n"))
            """)
    }

    /// What `X-Original-URL` and `-Method` tell already: each further header costs time in every
    /// request.
    private static let unneeded = [
        "X-Forwarded-Proto", "X-Forwarded-Host", "X-Forwarded-Uri", "X-Forwarded-Method", "Forwarded",
    ]

    private var common: String {
        """
        proxy_http_version 1.1;
        proxy_set_header X-Forwarded-For $remote_addr;
        proxy_set_header X-Forwarded-Proto \(scheme);
        proxy_set_header X-Forwarded-Host \(origin.authority);
        """
    }

    private func target(_ site: ProxyPlan.Site) -> String {
        switch site.target {
        case .folder(let folder):
            return """
                add_header Cache-Control $vestibule_keeping;
                root "\(folder)";
                """
        case .server(let server):
            let given = site.copied.map { "proxy_set_header \($0) $\(Self.variable($0));" }
            let others = IdentityHeaders.all.filter { !site.headers.contains($0) } + IdentityHeaders.questions
            let unsaid =
                IdentityHeaders.places + IdentityHeaders.ofOthers + [
                    IdentityHeaders.upgradeSettings, "Vestibule-Token",
                ]
            let gone = (others + unsaid).map { "proxy_set_header \($0) \"\";" }
            return """
                \(site.isTargetGuessed ? "# Where \(site.label) listens: change it, or print this with --to.\n" : "")\
                proxy_pass http://\(server);
                client_max_body_size 0;
                proxy_buffer_size 32k;
                proxy_buffers 8 32k;
                \(common)
                proxy_set_header Host \(origin.authority);
                proxy_set_header Upgrade $vestibule_upgrade;
                proxy_set_header Connection $vestibule_connection;
                \((given + gone).joined(separator: "\n"))
                """
        }
    }
}
