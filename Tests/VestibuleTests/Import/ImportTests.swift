import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import PasswordHashing
@testable import Serving
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct ImportTests {
    private static let hash = ImportedHashVectors.bcrypt[0]

    private func line(_ address: String, verified: Bool = true, hash: String = Self.hash) -> String {
        #"{"address":"\#(address)","name":"Ada","verified":\#(verified),"hash":"\#(hash)"}"#
    }

    @Test func `somebody imported logs in with the old password, and the hash is ours from then on`() async throws {
        try await withHouse([.verification: "required"]) { house in
            let stored = ImportedHashVectors.all
            let lines = stored.enumerated().map { line("member\($0)@example.com", hash: $1) }
            let outcome = try await Importer(store: house.services.store).run(lines)
            #expect(outcome.summary.imported == stored.count)
            for number in stored.indices {
                let email = "member\(number)@example.com"
                let visitor = house.visitor(at: "192.0.2.\(number + 1)")
                let refused = try await visitor.logIn(email: email, password: "not the password")
                #expect(refused.shows("Invalid email or password."))
                #expect(try await house.services.store.record(email).passwordHash?.phc == stored[number])
                // Nobody imported has agreed to the terms.
                let first = try await visitor.logIn(email: email, password: ImportedHashVectors.password)
                #expect(first.location == "/account/terms?return_to=/account", "\(stored[number])")
                let ours = try await house.services.store.record(email).passwordHash
                #expect(ours?.phc.hasPrefix("$argon2id$v=19$m=64,t=1,p=1$") == true)
                let again = try await house.visitor().logIn(email: email, password: ImportedHashVectors.password)
                #expect(again.status == .seeOther)
                #expect(try await house.services.store.record(email).passwordHash == ours)
            }
        }
    }

    @Test func `somebody without a proved mailbox or a hash gets in by a reset`() async throws {
        try await withHouse { house in
            let importer = Importer(store: house.services.store)
            _ = try await importer.run([
                line("ada@example.com", verified: false), #"{"address":"bob@example.com","verified":true}"#,
            ])
            for email in ["ada@example.com", "bob@example.com"] {
                let visitor = house.visitor()
                let refused = try await visitor.logIn(email: email, password: ImportedHashVectors.password)
                #expect(refused.shows("Invalid email or password."))
                try await visitor.post("/reset", ["email": email])
                let fields = [
                    "code": try await house.mailbox.code(for: email), "password": Browser.goodPassword,
                    "password_confirmation": Browser.goodPassword,
                ]
                #expect(try await visitor.post("/reset/verify", fields).status == .seeOther)
                #expect(try await visitor.logIn(email: email).status == .seeOther)
            }
        }
    }

    @Test func `one refused line is enough for nothing to be imported`() async throws {
        let store = try await sharedStore()
        let outcome = try await Importer(store: store).run([
            line("ada@example.com"), "", "{", line("ADA@example.com"), line("bob@example.com"),
        ])
        #expect(outcome.refused == [3: .notJSON, 4: .repeated(line: 1)])
        #expect(outcome.summary.lines == 4 && outcome.summary.refused == 2 && outcome.summary.imported == 0)
        #expect(!outcome.notices.contains(.completing))
        #expect(try await store.record("ada@example.com").account == nil)
        #expect(try await store.record("bob@example.com").account == nil)
    }

    @Test func `the others are imported when the refused are to be skipped`() async throws {
        let store = try await sharedStore()
        _ = try await Importer(store: store).run([line("ada@example.com")])
        let outcome = try await Importer(store: store, skipRefused: true).run([
            line("Ada@example.com"), line("bob@example.com"), line("ada@example.com"), line("no address"),
        ])
        #expect(outcome.refused[1] == .taken && outcome.refused[4] == .addressInvalid && outcome.refused.count == 3)
        #expect(outcome.summary.imported == 1)
        #expect(try await store.record("bob@example.com").account != nil)
    }

    @Test func `a dry run finds the same and changes nothing`() async throws {
        let store = try await sharedStore()
        for skipRefused in [false, true] {
            let importer = Importer(store: store, dryRun: true, skipRefused: skipRefused)
            let outcome = try await importer.run([line("ada@example.com"), line("ada@example.com")])
            #expect(outcome.refused == [2: .repeated(line: 1)])
            #expect(outcome.summary.dryRun && outcome.summary.imported == 0)
            #expect(try await store.record("ada@example.com").account == nil)
        }
    }

    @Test func `refused lines come in their order, whatever refuses them`() async throws {
        let lines = (0..<50).map { $0 % 2 == 0 ? line("ada@example.com") : "{" }
        let outcome = try await Importer(store: sharedStore(), pieceBytes: 100_000).run(lines)
        let order = outcome.notices.compactMap { notice -> Int? in
            if case .refused(let line) = notice { line.line } else { nil }
        }
        #expect(order == Array(2...50))
    }

    @Test func `a file that cannot be read to its end imports nothing`() async throws {
        struct Unreadable: Error {}
        let store = try await sharedStore()
        let judge = ImportJudge(now: Date(), locale: "en", random: .system, project: nil)
        let rule = Import(store: store, judge: judge, dryRun: false, skipRefused: true, event: Importer.event)
        var pieces = [Array((line("ada@example.com") + "\n").utf8)]
        await #expect(throws: Unreadable.self) {
            try await rule.run {
                guard !pieces.isEmpty else { throw Unreadable() }
                return pieces.removeFirst()
            } notify: { _ in
            }
        }
        #expect(try await store.record("ada@example.com").account == nil)
        #expect(try await Importer(store: store).run([line("ada@example.com")]).summary.imported == 1)
    }
}
