import Essentials
import Mailing

/// All attacks on one page, one after the other.
struct ProxyCheck: Sendable {
    let origin: Origin
    let path: String
    let token: String?
    /// In each answer of this command in the application's place.
    let echo: String
    private let mark = "forged" + CheckProxy.random()

    /// One attack and what it came to.
    struct Row: Listed {
        let attack: String
        let status: Int
        let finding: ProxyFinding

        static let columns: [Column<Self>] = [
            Column("RESULT") { $0.finding.name }, Column("ATTACK", "attack") { $0.attack },
            Column("STATUS") { $0.status == 0 ? nil : $0.status }, Column("", none: "") { $0.finding.how },
            Column(nil, "status") { $0.status },
            Column(nil, "result") { $0.finding.name + ($0.finding.how.map { ": \($0)" } ?? "") },
            Column(nil, "is_through") { $0.isThrough },
        ]

        var isThrough: Bool { finding.how != nil }
        /// Whether the status says nothing of the request: no answer (0), a limit (429) or a fault.
        var isUnanswered: Bool { status == 0 || status == 429 || status >= 500 }
    }

    func run(isListening: Bool) async throws -> [Row] {
        let judge = ProxyJudge(origin: origin, mark: mark, echo: isListening ? echo : nil)
        let attacks = ProxyAttack.all(mark: mark, path: path, host: origin.authority)
        let plain = ProxyAttack(name: "no session at all")
        let first = try await send(plain, token: nil)
        guard first.status > 0 else {
            let isDistrusted = first.text.isExactly(ConnectionTrouble.certificate.sentence)
            throw CommandFailure(
                "\(origin.text) does not answer: \(first.text)",
                hint: isDistrusted
                    ? "Look at this machine's clock, too. A private authority's certificate goes into "
                        + "/usr/local/share/ca-certificates: docs/operating/mail.md."
                    : "Does the proxy run, and does the name lead to it?")
        }
        let finding = judge.stranger(plain, first)
        guard finding.how != nil || first.status == 401 || judge.isSignIn(first) else {
            throw CommandFailure(
                "\(origin.text) answered \(first.status), which is neither the sign-in nor the application: nothing was "
                    + "checked", hint: "Does Vestibule run, and does it trust the proxy? See `vestibule doctor`.")
        }
        var rows = [Row(attack: plain.name, status: first.status, finding: finding)]
        for attack in attacks {
            let answer = try await send(attack, token: nil)
            rows.append(Row(attack: attack.name, status: answer.status, finding: judge.stranger(attack, answer)))
        }
        // Where everybody gets in, a token shows nothing.
        guard !rows.contains(where: \.isThrough) else { return rows }
        try await checkStillAnswers(first.status, token: nil)
        guard let token else { return rows }
        let admitted = try await checkToken(token, judge)
        for attack in attacks where !attack.isElsewhere && !attack.headers.contains(where: Self.opensItself) {
            let answer = try await send(attack, token: token)
            let name = "\(attack.name), with the token"
            rows.append(Row(attack: name, status: answer.status, finding: judge.machine(answer)))
        }
        try await checkStillAnswers(admitted, token: token)
        return rows
    }

    /// Throws `CommandFailure` where a request without any attack in it is now answered otherwise
    /// than before, by a limit or a firewall: so were attacks, and nobody looked at them.
    private func checkStillAnswers(_ before: Int, token: String?) async throws {
        let answer = try await send(ProxyAttack(name: ""), token: token)
        guard answer.status != before else { return }
        let what = answer.status == 0 ? answer.text : "status \(answer.status)"
        throw CommandFailure(
            "\(origin.text) stopped answering as before (\(what)): nothing can be said of the attacks",
            hint: "Does a limit on requests or a firewall stand before it? Let this machine through, and try again.")
    }

    /// Returns the status.
    private func checkToken(_ token: String, _ judge: ProxyJudge) async throws -> Int {
        let answer = try await send(ProxyAttack(name: ""), token: token)
        guard case .clean = judge.machine(answer) else {
            throw CommandFailure(
                "the token opens nothing (status \(answer.status))",
                hint: "Is it one of this application, and does the application answer at that path?")
        }
        return answer.status
    }

    private func send(_ attack: ProxyAttack, token: String?) async throws -> ProxyAnswer {
        let probe = ProxyProbe(origin: origin, path: path)
        return try await offEventLoop { Result { try probe.send(attack, token: token) } }.get()
    }

    /// What takes the token's place, or is between a client and the application.
    private static func opensItself(_ line: String) -> Bool {
        ["Vestibule-Token:", "Connection: Cookie", "Authorization:"].contains { line.begins(with: $0) }
    }
}
