import Crypto
import Essentials
import Foundation
import Vestibule
import VestibulePostgres
import VestibuleSQLite

/// What the store looks up for every request, on a database somebody has filled: microseconds a
/// login without hashing, a resumed session and a limit check, one line. With `many`, how many
/// sessions a second that many at a time start.
@main
enum Lookups {
    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count == 4 || words.count == 5, let count = Int(words[2]), let seconds = Double(words[3]) else {
            FileHandle.standardError.write(Data("usage: lookups FILE|postgres://… ACCOUNTS SECONDS [MANY]\n".utf8))
            exit(64)
        }
        let store = try open(words[1])
        if words.count == 5, let many = Int(words[4]) {
            print(try await logins(store, count, seconds, many: many))
            return try store.close()
        }
        let numbers = (0..<100_000).map { _ in Int.random(in: 0..<count) }
        let sessions = try await microseconds(seconds, numbers) { number in
            guard try await store.session(token(number).digest) != nil else { throw Missing() }
        }
        let limits = try await microseconds(seconds, numbers) { number in
            _ = try await store.take([claim(number)], now: Date())
        }
        // Last: what they write goes to the disk for a while yet, and would be in the way of the
        // others.
        let logins = try await microseconds(seconds, numbers) { try await logIn(store, $0) }
        print(logins, sessions, limits)
        try store.close()
    }

    struct Missing: Error {}

    /// Without the memory of what was read last: at a million it would hardly ever know the answer.
    private static func open(_ name: String) throws -> any Store {
        if let url = PostgresURL(name) { return try PostgresStore(url, remembering: 0) }
        try readThrough(name)
        return try SQLiteStore(path: name, remembering: 0)
    }

    /// What logins write when the password was right: sessions and events a second.
    private static func logins(_ store: any Store, _ count: Int, _ seconds: Double, many: Int) async throws -> Double {
        let accounts = (0..<count).map(accountID)
        let end = ContinuousClock.now + .seconds(seconds)
        let made = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<many {
                group.addTask {
                    var made = 0
                    while .now < end {
                        try await start(store, accounts[Int.random(in: 0..<count)])
                        made += 1
                    }
                    return made
                }
            }
            return try await group.reduce(0, +)
        }
        return Double(made) / seconds
    }

    /// A server that has run for a while has its file in the system's memory; one that was just
    /// made may not be there.
    private static func readThrough(_ path: String) throws {
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty {}
    }

    /// The filler makes tokens and addresses in the same way.
    private static func token(_ number: Int) throws -> Token {
        let digits = String(number)
        guard let token = Token(presented: String(repeating: "0", count: 42 - digits.count) + digits + "A") else {
            throw Missing()
        }
        return token
    }

    private static func accountID(_ number: Int) -> AccountID {
        AccountID(rawValue: String(Hex.text(Insecure.MD5.hash(data: Data("account \(number)".utf8))).prefix(22)))
    }

    private static func claim(_ number: Int) -> LimitClaim {
        var key = [UInt8](repeating: 0, count: 16)
        for place in 0..<8 { key[place] = UInt8(truncatingIfNeeded: (number &* 2_654_435_761) >> (8 * place)) }
        return LimitClaim(key: key, interval: 1, burst: 60_000)
    }

    private static func logIn(_ store: any Store, _ number: Int) async throws {
        _ = try await store.take([claim(number)], now: Date())
        let record = try await store.loginRecord(emailKey: "visitor\(number)@example.com", failuresKey: [1])
        guard let account = record.account else { throw Missing() }
        _ = try await store.signInFacts(accountID: account.id)
        try await start(store, account.id)
    }

    private static func start(_ store: any Store, _ accountID: AccountID) async throws {
        let now = Date()
        let session = Session(
            id: SessionID(from: .system), accountID: accountID,
            lifetime: Session.Lifetime(
                createdAt: now, lastSeenAt: now, idle: .seconds(3600), expiresAt: now.addingTimeInterval(86_400),
                remembered: false),
            proof: Session.Proof(at: now), awaitsTerms: false, userAgent: "bench", address: IPAddress("192.0.2.1")
        )
        let digest = Token(from: .system).digest
        let event = SecurityEvent(
            id: Randomness.system.id(), kind: .login, accountID: accountID, at: now, address: IPAddress("192.0.2.1"),
            userAgent: "bench")
        let account = Account(
            id: accountID, email: EmailAddress(stored: "visitor@example.com", key: "visitor@example.com"),
            displayName: "", createdAt: now, verifiedAt: now, locale: "en", termsVersion: nil)
        var signIn = ProvedSignIn(account: account, by: .password)
        (signIn.events, signIn.absent, signIn.hasRoom) = ([event], [.key, .passkey], true)
        _ = try await store.loginSucceeded(
            signIn, session: NewSession(session: session, tokenDigest: digest, replaces: nil))
    }

    private static func microseconds(
        _ seconds: Double, _ numbers: [Int], _ work: @Sendable (Int) async throws -> Void
    ) async throws -> Double {
        // What the connections remember of the inner pages is part of how a server runs.
        _ = try await repeated(seconds, numbers, work)
        return try await repeated(seconds, numbers, work)
    }

    private static func repeated(
        _ seconds: Double, _ numbers: [Int], _ work: (Int) async throws -> Void
    ) async throws -> Double {
        let start = ContinuousClock.now
        var done = 0
        while start.duration(to: .now) < .seconds(seconds) {
            try await work(numbers[done % numbers.count])
            done += 1
        }
        return start.duration(to: .now) / .microseconds(1) / Double(done)
    }
}
