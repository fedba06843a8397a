import Essentials

/// A request that a proxy must not let through as it is.
struct ProxyAttack: Sendable {
    /// As shown in the table.
    let name: String
    /// As sent, byte by byte; nil for the path of the URL.
    var target: String?
    /// In place of the URL's own.
    var host: String?
    /// Lines, sent in this order.
    var headers: [String] = []
    /// Trailer lines, sent after the body.
    var trailers: [String] = []

    /// Whether the request leads to another place than the page of the URL.
    var isElsewhere: Bool { target != nil || host != nil }
}

extension ProxyAttack {
    /// All of them. `mark` stands where it would be seen if it got through; `path` is the one of
    /// the URL.
    static func all(mark: String, path: String, host: String) -> [ProxyAttack] {
        identities(mark) + spellings(mark) + questions(mark, host) + upgrades + other(mark) + paths(path)
            + hosts(host)
    }

    private static func identities(_ mark: String) -> [ProxyAttack] {
        let lines = IdentityHeaders.all.map { "\($0): \(mark)" }
        let single = zip(IdentityHeaders.all, lines).map { ProxyAttack(name: $0, headers: [$1]) }
        let doubled = IdentityHeaders.all.map { name in
            ProxyAttack(name: "\(name) twice", headers: ["\(name): \(mark)", "\(name.asciiLowercased): \(mark)"])
        }
        let names = "Trailer: \(IdentityHeaders.all.joined(separator: ", "))"
        let others = IdentityHeaders.ofOthers.map { "\($0): \(mark)" }
        return single + doubled + [
            ProxyAttack(name: "all of these behind the body", headers: ["TE: trailers", names], trailers: lines),
            ProxyAttack(name: "X-Forwarded-User and other headers of other sign-in proxies", headers: others),
        ]
    }

    /// What many programs take for these names.
    private static func spellings(_ mark: String) -> [ProxyAttack] {
        let names = IdentityHeaders.all + ["X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"]
        return IdentityHeaders.marks.map { sign in
            let lines = IdentityHeaders.spelled(names, with: sign).map { "\($0): \(mark)" }
            return ProxyAttack(name: "\(lines[1].parts(by: ":")[0]) and others with \(sign)", headers: lines)
        }
    }

    /// Out of HTTP/1.1, where a proxy asks nobody any more.
    private static var upgrades: [ProxyAttack] {
        [["h2c"], ["h2c", "websocket"], ["websocket", "h2c"], ["h2c, websocket"]].map { protocols in
            let lines = protocols.map { "Upgrade: \($0)" }
            return ProxyAttack(
                name: lines.joined(separator: " and "),
                headers: ["Connection: Upgrade, \(IdentityHeaders.upgradeSettings)"] + lines + [
                    "\(IdentityHeaders.upgradeSettings): AAMAAABkAAQAAP__", "Sec-WebSocket-Version: 13",
                    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
                ])
        }
    }

    /// What only the proxy may tell Vestibule.
    private static func questions(_ mark: String, _ host: String) -> [ProxyAttack] {
        let values = [
            "X-Forwarded-Host": "\(mark).example", "X-Forwarded-Proto": mark, "X-Forwarded-Uri": "/.vestibule/\(mark)",
            "X-Forwarded-Method": "OPTIONS", "X-Original-URL": "http://\(host)/.vestibule/\(mark)",
            "X-Original-Method": "OPTIONS", "X-Rewrite-URL": "/.vestibule/\(mark)",
            "Forwarded": "host=\(mark).example;proto=https",
        ]
        let lines = values.map { "\($0): \($1)" }.sorted()
        let single = lines.map { ProxyAttack(name: $0, headers: [$0]) }
        let doubled = lines.map { ProxyAttack(name: "\($0), twice", headers: [$0, $0]) }
        return single + doubled + [ProxyAttack(name: "all of these at once", headers: lines)]
    }

    private static func other(_ mark: String) -> [ProxyAttack] {
        let hop = IdentityHeaders.all.joined(separator: ", ")
        return [
            ProxyAttack(name: "Connection: \(hop)", headers: ["Connection: \(hop)"]),
            ProxyAttack(name: "Connection: Cookie", headers: ["Connection: Cookie, Authorization"]),
            ProxyAttack(name: "a forged session", headers: ["Cookie: __Host-vestibule=\(mark)"]),
            ProxyAttack(name: "a forged session of the application", headers: ["Cookie: __Host-vestibule-app=\(mark)"]),
            ProxyAttack(name: "a forged token", headers: ["Vestibule-Token: \(mark)"]),
            ProxyAttack(name: "a forged bearer token", headers: ["Authorization: Bearer \(mark)"]),
            ProxyAttack(name: "the header of the forms' script", headers: ["Accept: text/html", "Vestibule-Fetch: 1"]),
            ProxyAttack(
                name: "a WebSocket",
                headers: [
                    "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
                    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
                ]),
        ]
    }

    /// Paths at the URL's page and below it that servers read differently.
    private static func paths(_ path: String) -> [ProxyAttack] {
        let page = String(path.parts(by: "?", atMost: 2)[0])
        let rest = String(page.utf8.dropFirst()) ?? ""
        let folder = page.ends(with: "/") ? String(decoding: page.utf8.dropLast(), as: UTF8.self) : page
        let lost = ["//", "/%2f", "/%2F..", "/..;/", "/.;/", "/%2e%2e/", "/%252e%252e/", "/\\", "/%5c", "/%00"]
        let ways = [".vestibule", ".vestibule/session", ".VESTIBULE/a", "authz/auth-request", ".well-known/jwks.json"]
        let back = [
            "/../", "/%2e%2e/", "/..%2f", "/..;/", "/..\\", "/%2e%2e%2f", "//../", "/?/../", "#/../", "%00/../",
        ]
        let below = (lost + ["/#", "/%23", "/?", "/%3f"]).map { "\(folder)\($0)x" }
        let around = ways.prefix(2).flatMap { way in back.map { "/\(way)\($0)\(rest)" } }
        let others = ways.dropFirst(2).map { "/\($0)/x/../../../\(rest)" }
        // At the root, `below` has these already.
        let before = rest.isEmpty ? [] : lost.map { $0 + rest } + [upper(page), "\(folder);x"]
        return (below + around + others + before).map { ProxyAttack(name: "path \($0)", target: $0) }
            + [ProxyAttack(name: "path of the URL and #", target: "\(path)#/.vestibule/session")]
    }

    private static func upper(_ text: String) -> String {
        String(decoding: text.utf8.map { (97...122).contains($0) ? $0 - 32 : $0 }, as: UTF8.self)
    }

    private static func hosts(_ host: String) -> [ProxyAttack] {
        let name = Origin.host(ofAuthority: host)
        let port = String(decoding: host.utf8.dropFirst(name.utf8.count), as: UTF8.self)
        let spellings = [
            upper(host), "\(name).\(port)", "\(name):443", "\(name):80", "\(host)@localhost",
        ]
        return spellings.map { ProxyAttack(name: "Host: \($0)", host: $0) }
    }
}
