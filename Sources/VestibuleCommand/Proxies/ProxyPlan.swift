import Essentials
import Vestibule

/// What a proxy has to know: where this site listens, and which applications stand behind it.
struct ProxyPlan {
    /// Host and port that the proxy reaches this site at.
    let server: String
    let publicURL: PublicURL
    let sites: [Site]
    /// What programs look for at the root of the public host.
    let wellKnown: [String]

    /// One origin of an application.
    struct Site {
        let origin: Origin
        let label: String
        let target: ProxyTarget.Target
        /// Where `--to` says nothing: one to be changed by hand.
        let isTargetGuessed: Bool
        let wantsPlainHeaders: Bool

        /// The identity headers that it gets.
        var headers: [String] {
            [IdentityHeaders.assertion] + (wantsPlainHeaders ? IdentityHeaders.plain : [])
        }

        /// The headers of the verdict's answer that the request goes on with. Its `Cookie` has the
        /// visitor's cookies without those of Vestibule.
        var copied: [String] { headers + ["Cookie"] }
    }

    /// Throws `CommandFailure` if the settings name no application, or one that no proxy can tell
    /// from this site.
    init(_ settings: Settings, targets: [ProxyTarget]) throws {
        guard !settings.applications.isEmpty else {
            throw CommandFailure(
                "the settings name no application",
                hint: "Such as VESTIBULE_APP_NOTES_ORIGINS=https://notes.example.com")
        }
        server = Self.server(settings)
        publicURL = settings.publicURL
        sites = try Self.sites(settings.applications, targets)
        wellKnown = (["change-password", "jwks.json"] + settings.passkeyFiles).map { "/.well-known/\($0)" }
        for origin in sites.map(\.origin) + [publicURL.origin] where !origin.isWritable {
            throw CommandFailure(
                "no proxy could be told of \(origin.text)", hint: "Host names have letters, digits, dots and dashes.")
        }
        guard !publicURL.path.isEmpty || shared == nil else {
            throw CommandFailure(
                .badConfiguration, "\(shared?.label ?? "") has the origin of VESTIBULE_PUBLIC_URL",
                hint: "Give this site a path of it: VESTIBULE_PUBLIC_URL=\(publicURL.origin.text)/auth")
        }
    }

    /// The application on the public origin itself.
    var shared: Site? {
        sites.first { $0.origin == publicURL.origin }
    }

    var others: [Site] {
        sites.filter { $0.origin != publicURL.origin }
    }

    private static func server(_ settings: Settings) -> String {
        let host =
            switch settings.host {
            case "0.0.0.0", "localhost": "127.0.0.1"
            case "::": "::1"
            default: settings.host
            }
        let shown = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return "\(shown):\(settings.port)"
    }

    private static func sites(_ applications: [ProtectedApplication], _ targets: [ProxyTarget]) throws -> [Site] {
        for target in targets where !applications.contains(where: { $0.name.isExactly(target.application) }) {
            let names = applications.map(\.name).joined(separator: ", ")
            throw CommandFailure(
                "--to: the settings name no application \(target.application)", hint: "One of: \(names).")
        }
        return try applications.enumerated().flatMap { index, application in
            let given = targets.filter { $0.application.isExactly(application.name) }
            guard given.count <= 1 else {
                throw CommandFailure(
                    "--to names \(application.name) twice", hint: "Give --to once for each application.")
            }
            let target = given.first
            return application.origins.map { origin in
                Site(
                    origin: origin, label: application.label,
                    target: target?.target ?? .server("127.0.0.1:\(3000 + index)"), isTargetGuessed: target == nil,
                    wantsPlainHeaders: application.wantsPlainHeaders)
            }
        }
    }
}

extension Origin {
    /// Host and, where it is not the scheme's own, port.
    var authority: String {
        String(text.utf8.dropFirst(isSecure ? 8 : 7)) ?? ""
    }

    var port: String {
        authority.after("\(host):").map(String.init) ?? (isSecure ? "443" : "80")
    }

    /// The address to listen on where only this machine finds the host (RFC 6761); IPv6 in
    /// brackets.
    var loopback: String? {
        if host.isExactly("localhost") || host.ends(with: ".localhost") { return "127.0.0.1" }
        let address = host.after("[")?.before("]") ?? host[...]
        return IPAddress(address)?.isLoopback == true ? host : nil
    }

    /// Whether it means to a proxy's configuration what it says.
    fileprivate var isWritable: Bool {
        authority.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-.:[]".utf8.contains($0) }
    }
}
