import Foundation
import TestSupport
import VestibuleClient

/// A real server on a free port, in a folder of its own.
final class ServerHouse: House {
    /// For all tests that are not about limits.
    static let sharing = Task { try await ServerHouse() }
    static var shared: ServerHouse {
        get async throws { try await sharing.value }
    }

    /// What apps are told: the address of the proxy, if there is one.
    let url: URL
    /// Where the server itself listens, without TLS.
    let innerURL: URL
    private let folder: URL
    private let settings: [String: String]
    private let ahead: Int
    private let server: LeashedProgram
    private let proxy: TLSProxy?

    /// Starts one and waits until it is well. Its clock is `ahead` so many seconds; it goes on with
    /// folder, database and settings of an `earlier` one that has ended.
    init(
        _ settings: [String: String] = [:], ahead: Int = TestMode.ahead, after earlier: ServerHouse? = nil
    ) async throws {
        let folder =
            earlier?.folder ?? FileManager.default.temporaryDirectory.appending(path: "client-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let innerURL = try anyLocalURL("http")
        proxy = try TestMode.authority.map { try TLSProxy(before: innerURL, authority: $0, in: folder) }
        url = proxy?.url ?? innerURL
        let kept = if let earlier { earlier.settings } else { try await TestMode.database() }
        self.settings = kept.merging(proxy?.settings ?? [:]) { $1 }.merging(settings) { $1 }
        server = try LeashedProgram(
            BuiltProgram.executable, ["serve", "--port", "\(innerURL.port ?? 0)"], in: folder,
            environment: Self.quick.merging(self.settings) { $1 }
                .merging(try await TestMode.clock(ahead: ahead, in: folder)) { $1 })
        (self.folder, self.innerURL, self.ahead) = (folder, innerURL, ahead)
        try await eventually("a healthy server: \(folder.path)") { try? await app().site() }
    }

    /// No limits, and passwords that take no time.
    private static let quick = [
        "VESTIBULE_LIMIT_LOGIN": "off", "VESTIBULE_LIMIT_SIGNUP": "off", "VESTIBULE_LIMIT_RESET": "off",
        "VESTIBULE_LIMIT_VERIFY": "off", "VESTIBULE_LIMIT_MAIL": "off",
        "VESTIBULE_ARGON2_MEMORY_KIB": "64", "VESTIBULE_ARGON2_ITERATIONS": "1",
    ]

    /// Ends it, and starts it with other settings, or so many seconds later by its clock.
    func restarted(_ settings: [String: String] = [:], later seconds: Int = 0) async throws -> ServerHouse {
        try await server.end()
        return try await ServerHouse(settings, ahead: ahead + seconds, after: self)
    }

    /// The time by the server's clock.
    var now: Date { Date() + Double(ahead) }

    func app() -> any AuthService { client() }

    func client(_ store: any TokenStore = MemoryTokenStore()) -> AuthClient {
        AuthClient(server: url, store: Lodger(store: store, house: self), userAgent: "Acme/1.2")
    }

    func code(mailedTo email: String, number: Int) async throws -> Secret {
        try await eventually("code \(number) for \(email)") {
            let codes = try codes(mailedTo: email)
            return codes.count < number ? nil : codes[number - 1]
        }
    }

    func appCode(_ setup: AuthenticatorSetup, later steps: Int) throws -> Secret {
        try totp(setup.key, at: now + Double(30 * steps))
    }

    /// In the subjects of the mails to an address, oldest first.
    private func codes(mailedTo email: String) throws -> [Secret] {
        let outbox = folder.appending(path: "data/mail")
        let files = (try? FileManager.default.contentsOfDirectory(atPath: outbox.path)) ?? []
        return try files.sorted().filter { $0.hasSuffix(".eml") }.compactMap { name in
            let mail = try String(contentsOf: outbox.appending(path: name), encoding: .utf8)
            guard mail.contains("To: \(email)") || mail.contains("<\(email)>") else { return nil }
            return mail.firstMatch(of: #/Subject: (\d{6}) /#).map { Secret(String($0.1)) }
        }
    }
}

/// Keeps the server alive as long as somebody is its client.
private struct Lodger: TokenStore {
    let store: any TokenStore
    let house: ServerHouse

    func load() throws -> Secret? { try store.load() }

    func keep(_ token: Secret?) throws { try store.keep(token) }
}

/// What the probe returns as soon as it is something. Throws after a minute.
@discardableResult
func eventually<Value>(
    _ what: String, isolation: isolated (any Actor)? = #isolation, _ probe: () async throws -> Value?
) async throws -> Value {
    let end = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < end {
        if let found = try await probe() { return found }
        // Files and other processes do not tell when they change.
        try await Task.sleep(for: .milliseconds(20))
    }
    throw Unexpected("not within a minute: \(what)")
}
