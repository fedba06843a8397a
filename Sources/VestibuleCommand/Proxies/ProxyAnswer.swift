import Essentials

/// What came back through a proxy.
struct ProxyAnswer: Sendable {
    /// 0 if nothing came.
    let status: Int
    /// Head and body; without an answer the reason.
    let text: String

    var location: String? {
        let head = text.textLines.prefix { !$0.isEmpty }
        let line = head.first { $0.asciiLowercased.begins(with: "location:") }
        return line.map { String($0.utf8.dropFirst(9)).map(\.trimmingSpaces) ?? "" }
    }

    var hasBody: Bool {
        let lines = text.textLines
        return lines.firstIndex(where: \.isEmpty).map { lines[($0 + 1)...].contains { !$0.isEmpty } } ?? false
    }
}

/// What an attack came to.
enum ProxyFinding: Sendable {
    case refused
    /// Let in as it has a right to, without what was forged.
    case clean
    case through(String)

    var name: String {
        switch self {
        case .refused: "refused"
        case .clean: "clean"
        case .through: "GOT THROUGH"
        }
    }

    /// What got through; nil if nothing did.
    var how: String? {
        if case .through(let how) = self { how } else { nil }
    }
}

/// Judges answers to attacks.
struct ProxyJudge {
    let origin: Origin
    /// What forged headers hold.
    let mark: String
    /// What the listening command says in every answer; nil if it does not listen.
    let echo: String?

    private static let refusals = [400, 401, 403, 408, 413, 414, 421, 429, 431]

    /// Of a request that nobody's session or token came with.
    func stranger(_ attack: ProxyAttack, _ answer: ProxyAnswer) -> ProxyFinding {
        if answer.text.holds(mark), attack.target == nil, !isSignIn(answer) { return .through("the answer shows it") }
        if let echo { return answer.text.holds(echo) ? .through("it reached the application") : .refused }
        switch answer.status {
        case 0, 500...: return .refused
        case 300..<400: return isSignIn(answer) ? .refused : .through("led to \(answer.location ?? "nowhere")")
        case 200..<300 where attack.host != nil && !answer.hasBody: return .refused
        case 404 where attack.isElsewhere: return .refused
        case let status where Self.refusals.contains(status): return .refused
        case 200..<300 where attack.target.map(Self.isOurs) ?? false: return .refused
        default: return .through("something behind the proxy answered")
        }
    }

    /// Of a request that a token came with.
    func machine(_ answer: ProxyAnswer) -> ProxyFinding {
        if answer.text.holds(mark) { return .through("the application sees it") }
        if leavesHTTP(answer) { return .through("the connection leaves HTTP/1.1") }
        guard let echo, answer.text.holds(echo) else { return Self.isAllowed(answer) ? .clean : .refused }
        let isTold = answer.text.textLines.contains { $0.asciiLowercased.begins(with: "vestibule-assertion: ey") }
        return isTold ? .clean : .through("the application does not see the assertion")
    }

    /// Whether the application was asked for something else than a WebSocket, or agreed to it.
    private func leavesHTTP(_ answer: ProxyAnswer) -> Bool {
        guard answer.status == 101 || echo.map(answer.text.holds) ?? false else { return false }
        return answer.text.textLines.contains { line in
            line.asciiLowercased.after("upgrade:").map { !$0.trimmingSpaces.isExactly("websocket") } ?? false
        }
    }

    static func isAllowed(_ answer: ProxyAnswer) -> Bool { (200..<300).contains(answer.status) }

    /// Paths that Vestibule itself answers on the application's host.
    private static func isOurs(_ target: String) -> Bool { target.begins(with: "/.vestibule/session") }

    /// Whether the answer leads to the sign-in, or to https.
    func isSignIn(_ answer: ProxyAnswer) -> Bool {
        guard let location = answer.location else { return false }
        let isOfHost = Origin(ofURL: location).map { $0.host.isExactly(origin.host) } ?? false
        let isHTTPS = isOfHost && !origin.isSecure && location.begins(with: "https:")
        return isHTTPS || location.holds("/.vestibule/start?to=") || location.begins(with: "\(origin.text)/.vestibule/")
    }
}
