import Essentials

/// A part of a Caddyfile (Caddy 2.11.2 or newer: those before leave the client's header where the
/// answer of `forward_auth` lacks it).
struct CaddyConfig {
    let plan: ProxyPlan

    var text: String {
        let parts = [Self.head, Self.cleaning, vestibule, publicSite] + plan.others.map(site)
        return parts.joined(separator: "\n\n").textLines.map(Self.tabbed).joined(separator: "\n")
    }

    /// As `caddy fmt` would write it.
    private static func tabbed(_ line: Substring) -> String {
        let spaces = line.utf8.prefix { $0 == 0x20 }.count
        return String(repeating: "\t", count: spaces / 4) + (String(line.utf8.dropFirst(spaces)) ?? "")
    }

    private static let head = """
        # Made by `vestibule proxy-config caddy`: a part of a Caddyfile, for Caddy 2.11.2 or newer.
        """

    private static let cleaning = """
        # What a client itself says in headers that applications believe is removed, in every spelling:
        # many programs take other marks for dashes.
        (vestibule_clean) {
        \(removed.map { "    request_header -\($0)" }.joined(separator: "\n"))
            # An upgrade can leave HTTP, where nobody asks any more. What is passed on is written here.
            @vestibule_websocket header_regexp Upgrade (?i)^websocket$
            request_header @vestibule_websocket Upgrade websocket
            @vestibule_no_websocket not header Upgrade websocket
            request_header @vestibule_no_websocket -Upgrade
            # It could name headers to drop.
            request_header Connection Upgrade
        }
        """

    private static let removed =
        ["Remote*", "*Assertion"] + IdentityHeaders.marks.map { "*\($0)*" } + IdentityHeaders.questions
        + IdentityHeaders.ofOthers + IdentityHeaders.places + [IdentityHeaders.upgradeSettings]

    /// With the host that people see as argument: what a client says in `Host` chooses the site and
    /// nothing else.
    private var vestibule: String {
        """
        (vestibule) {
            # Files and pages that are equal for everybody. A page with secrets in it would tell them by its size (BREACH).
            encode {
                match {
                    header ETag *
                }
            }
            reverse_proxy \(plan.server) {
                header_up Host {args[0]}
                header_up X-Forwarded-Host {args[0]}
                header_up -Forwarded
            }
        }
        """
    }

    /// Where people sign in. Nobody but the proxy itself asks for verdicts and readiness.
    private var publicSite: String {
        let path = plan.publicURL.path
        let refused = """
            respond \(path)/readyz* 404
            respond \(path)/authz/* 404
            """
        let vestibule = "import vestibule \(plan.publicURL.origin.authority)"
        guard !path.isEmpty else { return block(plan.publicURL.origin, "\(refused)\n\(vestibule)") }
        let inside = """
            @vestibule path \(path) \(path)/* /.vestibule/* \(plan.wellKnown.joined(separator: " "))
            handle @vestibule {
                \(vestibule)
            }
            """
        let rest = plan.shared.map(application).map { "\nhandle {\n\($0.indented(by: 4))\n}" } ?? ""
        return block(plan.publicURL.origin, "import vestibule_clean\n\(refused)\n\(inside)\(rest)")
    }

    private func site(_ site: ProxyPlan.Site) -> String {
        let inside = """
            import vestibule_clean
            handle /.vestibule/* {
                import vestibule \(site.origin.authority)
            }
            handle {
            \(application(site).indented(by: 4))
            }
            """
        return "# \(site.label)\n\(block(site.origin, inside))"
    }

    private func block(_ origin: Origin, _ inside: String) -> String {
        let bind = origin.loopback.map { "    bind \($0)\n" } ?? ""
        return "\(origin.text) {\n\(bind)    route {\n\(inside.indented(by: 8))\n    }\n}"
    }

    /// Asks, and passes on what is allowed.
    private func application(_ site: ProxyPlan.Site) -> String {
        """
        forward_auth \(plan.server) {
            uri /authz/forward-auth
            header_up X-Forwarded-Proto \(site.origin.isSecure ? "https" : "http")
            header_up X-Forwarded-Host \(site.origin.authority)
            header_up -Forwarded
            header_up -Connection
            header_up -Upgrade
            copy_headers \(site.copied.joined(separator: " "))
        }
        \(target(site))
        """
    }

    /// A token is not shown to applications, nor is a cookie of Vestibule: the verdict's answer has
    /// the others.
    private func target(_ site: ProxyPlan.Site) -> String {
        switch site.target {
        case .folder(let folder):
            """
            # A page that a browser keeps would be shown after signing out, too: by the way back, without asking.
            header Cache-Control "private, no-cache"
            header {
                match {
                    header Content-Type text/html*
                    header Content-Type text/plain*
                    header Content-Type application/pdf*
                }
                Cache-Control no-store
            }
            root * "\(folder)"
            encode
            file_server
            """
        case .server(let server):
            """
            \(site.isTargetGuessed ? "# Where \(site.label) listens: change it, or print this with --to.\n" : "")\
            reverse_proxy \(server) {
                header_up Host \(site.origin.authority)
                header_up X-Forwarded-Host \(site.origin.authority)
                header_up -Vestibule-Token
            }
            """
        }
    }
}
