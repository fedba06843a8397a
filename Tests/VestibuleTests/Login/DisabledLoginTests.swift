import Foundation
import HTTPTypes
import Logging
import Testing

@testable import Essentials
@testable import Vestibule
@testable import VestibuleSQLite

/// A disabled account and an address without one are told apart by nobody.
@Suite(.timeLimit(.minutes(15)))
struct DisabledLoginTests {
    /// What an answer shows, but for what is new with every request.
    private func shown(_ page: Page, _ email: String) -> [String] {
        let headers = page.headers.filter { $0.name.canonicalName != "x-request-id" && $0.name != .date }
            .map { "\($0.name): \($0.value)" }
        return ["\(page.status)", page.body.replacing(email, with: "EMAIL")] + headers
    }

    private func written(_ path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int ?? 0
    }

    /// On SQLite whatever `HouseEngine` says: its log shows each byte that is written.
    @Test(arguments: [Browser.goodPassword, "not the password"])
    func `the answer is the same in every byte, and so is what is written`(password: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "disabled-\(UUID().uuidString)").path
        let path = folder + "/vestibule.sqlite"
        let store = try SQLiteStore(path: path)
        _ = try store.migrate()
        let (disabled, unknown) = ("ada@example.com", "bob@example.com")
        try await withHouse([.limitLogin: "100/m/ip, 100/m/address"], store: store, logLevel: .debug) { house in
            _ = try await house.member(disabled)
            _ = try await house.waitingMails()
            // What it cuts off the log would be taken for something that a login wrote.
            try await house.tidy()
            let account = try await house.services.store.account(.address(try #require(EmailAddress(disabled))))
            #expect(try await Administration(services: house.services).disable(try #require(account).account))
            for email in [disabled, unknown] { try await house.visitor().logIn(email: email, password: password) }
            var answers: [String: Set<[String]>] = [:]
            var writes: [String: Set<Int>] = [:]
            for email in [disabled, unknown, unknown, disabled, disabled, unknown] {
                let before = try written(path)
                let page = try await house.visitor().logIn(email: email, password: password)
                writes[email, default: []].insert(try written(path) - before)
                answers[email, default: []].insert(shown(page, email))
            }
            #expect(answers[disabled] == answers[unknown])
            #expect(answers[disabled]?.count == 1)
            #expect(writes[disabled] == writes[unknown], "\(writes)")
            #expect(writes[disabled]?.count == 1)
        }
        try store.close()
        try FileManager.default.removeItem(atPath: folder)
    }
}
