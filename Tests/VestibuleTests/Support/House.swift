import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import StoreSupport
import TestSupport
import Testing

@testable import Essentials
@testable import Mailing
@testable import Serving
@testable import Vestibule

/// The whole product on a real store (`HouseEngine`); only clock and mail transport stand in for
/// the world.
struct House: Sendable {
    let client: HouseClient
    let services: SharedServices
    let clock: TestClock
    let mailbox: Mailbox
    let logs: LogRecorder

    /// A person with a browser of their own, at an address of their own unless said otherwise.
    func visitor(at address: String = "192.0.2.1") -> Browser {
        Browser(client: client, address: address, mount: services.settings.publicURL.path)
    }

    /// Somebody who has signed up; signed in in the browser that is returned.
    func member(_ email: String, password: String = Browser.goodPassword) async throws -> Browser {
        let visitor = visitor()
        try #require(await visitor.signUp(email: email, password: password).status == .seeOther)
        _ = try await visitor.type(code: mailbox.code(for: email))
        return visitor
    }

    /// What happened around an account, newest first.
    func events(of email: String) async throws -> [SecurityEvent] {
        let record = try await services.store.loginRecord(emailKey: email, failuresKey: [])
        return try await services.store.latestEvents(accountID: record.account?.id ?? "", kind: nil, limit: 1000)
            .map(\.event)
    }

    /// What housekeeping does every ten minutes, after that of the start: one node at a time does
    /// it. That one is over when the debug log says so.
    func tidy() async throws {
        try #require(logs.logger.logLevel == .debug)
        try await until { logs.lines.contains { $0.contains("housekeeping done") } }
        try await Housekeeping(services: services).tidy()
    }

    /// How many mails are still to be sent: 0 once the worker has sent what there is.
    func waitingMails() async throws -> Int {
        try await until { try await services.store.nextMailDue() == nil }
        return 0
    }

    /// Mails that failed once each go out again, once all that wait have done so.
    func endMailOutage() async throws {
        try await until { try await services.store.nextMailDue() == clock.now + 5 }
        await mailbox.fail(nil)
        clock.advance(by: .seconds(6))
        services.outboxSignal.send()
    }

    /// Waits for what another task does soon; the suite's time limit ends it when that never
    /// happens.
    func until(_ condition: () async throws -> Bool) async throws {
        while try await !condition() {
            // That task can tell nobody; one that only yields would keep a core from it.
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    static let resources = Resources(places: [root], installed: root)

    fileprivate static let common = Result { try resources.commonPasswords() }

    static func settings(_ values: [Setting: String], environment: [String: String] = [:]) throws -> Settings {
        let cheap: [Setting: String] = [
            .argon2MemoryKiB: "64", .argon2Iterations: "1", .hashingThreads: "2", .trustedProxies: "127.0.0.1",
        ]
        let flags = cheap.merging(values) { $1 }
        return try SettingsSources.read(flags: flags, environment: environment, environmentFile: nil)
    }
}

/// The application alone, for what only a connection can tell.
func withApplication<Value: Sendable>(
    _ values: [Setting: String], environment: [String: String] = [:],
    _ test: (Application<RoutesResponder<AppContext>>, Logger) async throws -> Value
) async throws -> Value {
    let logs = LogRecorder(level: .info)
    return try await HouseEngine.with { store in
        let services = SharedServices(
            Dependencies(
                settings: try House.settings(values, environment: environment), store: store,
                mailTransport: Mailbox(),
                secretKey: House.key, logger: logs.logger,
                machine: .init(random: .ofRunningTest())))
        let content = try House.content(services.settings)
        return try await test(try buildApplication(services, content: content), logs.logger)
    }
}

/// Opens a house, does something in it, closes it. It is served on a port and logs what production
/// logs: otherwise connections would leave files and verdicts to the routes.
func withHouse(
    _ values: [Setting: String] = [:], store: (any Store)? = nil, key: SecretKey = House.key,
    clock: TestClock = TestClock(), transport: (any MailTransport)? = nil, environment: [String: String] = [:],
    logLevel: Logger.Level = .info, _ test: @escaping @Sendable (House) async throws -> Void
) async throws {
    guard let store else {
        return try await HouseEngine.with { store in
            try await withHouse(
                values, store: store, key: key, clock: clock, transport: transport, environment: environment,
                logLevel: logLevel, test)
        }
    }
    let logs = LogRecorder(level: logLevel)
    let mailbox = Mailbox()
    let services = SharedServices(
        Dependencies(
            settings: try House.settings(values, environment: environment),
            store: store,
            mailTransport: transport ?? mailbox,
            secretKey: key, commonPasswords: try House.common.get(), logger: logs.logger,
            machine: .init(
                // Each house would compare the kernels with libargon2 at its start; another suite
                // does.
                kernels: [], random: .ofRunningTest(), now: { clock.now }, passed: { clock.passed },
                // No test is to see a slow connection cut off, so this is longer than a test may
                // take.
                connectionPatience: .seconds(1800))
        ))
    let content = try House.content(services.settings)
    let application = try buildApplication(services, content: content)
    try await application.test(.live) { server in
        let client = HouseClient(port: try #require(server.port))
        try await test(House(client: client, services: services, clock: clock, mailbox: mailbox, logs: logs))
    }
}

extension House {
    static let key = SecretKey(current: SymmetricKey(data: [UInt8](repeating: 7, count: 32)))
}
