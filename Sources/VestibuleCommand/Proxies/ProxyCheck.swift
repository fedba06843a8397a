import Essentials

/// All attacks on one page, one after the other.
struct ProxyCheck: Sendable {
    let origin: Origin
    let path: String
    let token: String?
    /// In each answer of this command in the application's place.
    let echo: String
    private let mark = "forged" + CheckProxy.random()

    init(origin: Origin, path: String, token: String?, echo: String) {
        (self.origin, self.path, self.token, self.echo) = (origin, path, token, echo)
    }

    /// One attack and what it came to.
    struct Row: ListedRow {
        let result: String
        let attack: String
        let status: Int
        let isThrough: Bool

        static let columns = ["RESULT", "ATTACK", "STATUS", ""]
        var cells: [String] {
            let parts = result.parts(by: ":", atMost: 2).map(\.trimmingSpaces)
            return [parts[0], attack, "\(status)", parts.count > 1 ? parts[1] : ""]
        }
    }

    func run(isListening: Bool) async throws -> [Row] {
        let judge = ProxyJudge(origin: origin, mark: mark, echo: isListening ? echo : nil)
        let attacks = ProxyAttack.all(mark: mark, path: path, host: origin.authority)
        let plain = ProxyAttack(name: "no session at all")
        let first = try await send(plain, token: nil)
        guard first.status > 0 else {
            throw CommandFailure(.failed, "\(origin.text) does not answer: \(first.text)", hint: "Does the proxy run?")
        }
        var rows = [Self.row(plain.name, first, judge.stranger(plain, first))]
        for attack in attacks {
            let answer = try await send(attack, token: nil)
            rows.append(Self.row(attack.name, answer, judge.stranger(attack, answer)))
        }
        // Where everybody gets in, a token shows nothing.
        guard let token, !rows.contains(where: \.isThrough) else { return rows }
        try await checkToken(token, judge)
        for attack in attacks where !attack.isElsewhere && !attack.headers.contains(where: Self.opensItself) {
            let answer = try await send(attack, token: token)
            rows.append(Self.row("\(attack.name), with the token", answer, judge.machine(answer)))
        }
        return rows
    }

    private func checkToken(_ token: String, _ judge: ProxyJudge) async throws {
        let answer = try await send(ProxyAttack(name: ""), token: token)
        guard case .clean = judge.machine(answer) else {
            throw CommandFailure(
                .failed, "the token opens nothing (status \(answer.status))",
                hint: "Is it one of this application, and does the application answer at that path?")
        }
    }

    private func send(_ attack: ProxyAttack, token: String?) async throws -> ProxyAnswer {
        let probe = ProxyProbe(origin: origin, path: path)
        return try await offEventLoop { Result { try probe.send(attack, token: token) } }.get()
    }

    /// What takes the token's place, or is between a client and the application.
    private static func opensItself(_ line: String) -> Bool {
        ["Vestibule-Token:", "Connection: Cookie", "Authorization:"].contains { line.begins(with: $0) }
    }

    private static func row(_ name: String, _ answer: ProxyAnswer, _ finding: ProxyFinding) -> Row {
        switch finding {
        case .refused: Row(result: "refused", attack: name, status: answer.status, isThrough: false)
        case .clean: Row(result: "clean", attack: name, status: answer.status, isThrough: false)
        case .through(let how):
            Row(result: "GOT THROUGH: \(how)", attack: name, status: answer.status, isThrough: true)
        }
    }
}
