import ArgumentParser
import Essentials

/// `vestibule check-proxy`
struct CheckProxy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-proxy",
        abstract: "Ask an application through its proxy with forged headers and paths, and say what got through.",
        discussion: """
            Without a session it sees whether a request gets in at all, by status, Location and text of the answer. To \
            see which headers reach the application, too, stop the application, let this command listen in its place \
            (--listen), and give it a token of `vestibule tokens create` in a file (--token-file). The last line is the \
            verdict; it ends with 1 if anything got through.
            """
    )

    @Argument(help: "A page of the application that only people who are signed in may see.")
    var url: String

    @Option(help: "File that holds a machine token of the application, and nothing else; - reads standard input.")
    var tokenFile: String?

    /// Not shown in the help, and refused with what to use instead.
    @Option(help: .hidden)
    var token: String?

    @Option(help: "HOST:PORT that the proxy reaches the application at: listen there, and see what it is told.")
    var listen: String?

    @Flag(help: "Show every attack, also those that nothing came of.")
    var verbose = false

    @Flag(help: "One JSON object for every attack, a line each.")
    var json = false

    func validate() throws {
        guard token == nil else {
            throw ValidationError("--token shows the token to everybody on this machine: use --token-file.")
        }
    }

    func run() async throws {
        // Not repeated: it may have a password.
        guard let origin = Origin(ofURL: url) else {
            throw CommandFailure(
                .badUsage, "this is not the URL of a page", hint: "Such as https://notes.example.com/, without a user.")
        }
        let token = try tokenFile.map(SecretFile.read)
        let check = ProxyCheck(origin: origin, path: Self.path(url), token: token, echo: Self.random())
        let rows: [ProxyCheck.Row]
        if let listen {
            guard let address = Origin("http://\(listen)"), let port = Int(address.port) else {
                throw CommandFailure(.badUsage, "\(listen) is no HOST:PORT", hint: "Such as --listen 127.0.0.1:3000")
            }
            rows = try await ProxyEcho(host: address.host, port: port, echo: check.echo).serving {
                try await check.run(isListening: true)
            }
        } else {
            rows = try await check.run(isListening: false)
        }
        try report(rows, origin, isComplete: token != nil)
    }

    /// Of attacks that came to nothing only their number, unless more is wanted.
    private func report(_ rows: [ProxyCheck.Row], _ origin: Origin, isComplete: Bool) throws {
        let through = rows.filter(\.isThrough)
        let shown = json || verbose ? rows : through
        var listing = Listing<ProxyCheck.Row>(json: json)
        if !shown.isEmpty { try listing.add(shown) }
        if !isComplete {
            Output.note("Without --token-file it cannot be seen which headers reach the application.")
        }
        if let first = rows.first, first.isThrough {
            throw CommandFailure(
                "anybody gets in without signing in; \(through.count) of \(rows.count) requests got through",
                hint: "Is this another site, or a public page? Give the URL of a page that needs the sign-in. "
                    + "Otherwise compare the proxy's configuration with `vestibule proxy-config`.")
        }
        guard through.isEmpty else {
            throw CommandFailure(
                "\(through.count) of \(rows.count) attacks got through",
                hint: "Compare the proxy's configuration with `vestibule proxy-config`.")
        }
        guard !json else { return }
        let output = Output()
        let silent = rows.filter(\.isUnanswered).count
        let rest = silent == 0 ? "" : "; \(silent) of them got no answer, or 429 or 5xx"
        try output.line("ok: none of \(rows.count) attacks got through to \(origin.text)\(rest)")
        try output.flush()
    }

    static func random() -> String { Hex.text(Randomness.system.bytes(8)) }

    /// Path and query, as written, of a URL with an origin.
    private static func path(_ url: String) -> String {
        let named = url.parts(by: "#", atMost: 2)[0].parts(by: "/", atMost: 3)[2]
        let rest = named.utf8.drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        let path = String(decoding: rest, as: UTF8.self)
        return path.begins(with: "/") ? path : "/" + path
    }
}
