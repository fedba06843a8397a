import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import PasswordHashing
@testable import Vestibule

@Suite(.closesStores, .timeLimit(.minutes(15)))
struct GroupStoreTests {
    private func names(_ texts: String...) throws -> Set<GroupName> {
        Set(try texts.map { try #require(GroupName($0)) })
    }

    private func add(_ groups: Set<GroupName>, to account: AccountID, _ store: any Store) async throws -> Bool {
        try await store.changeGroups(
            GroupChange(accountID: account, adding: groups), event: Make.event(.groupsChanged, account: account))
    }

    @Test(arguments: Engine.allCases)
    func `every read of an account has its groups, sorted by their bytes`(engine: Engine) async throws {
        let store = try await engine.open()
        #expect(try await store.addAccount(Make.account("a", token: 1)))
        #expect(try await store.addAccount(Make.account("b", email: "bob@example.com", token: 2)))
        #expect(try await store.session(Make.digest(1))?.account.groups == [])
        #expect(try await add(names("staff", "Staff", "a.b", "x_1-2"), to: "a", store))
        let groups = ["Staff", "a.b", "staff", "x_1-2"]
        #expect(try await store.session(Make.digest(1))?.account.groups == groups)
        #expect(try await store.session(Make.digest(2))?.account.groups == [])
        let login = try await store.loginRecord(emailKey: "ada@example.com", failuresKey: Make.key(1))
        #expect(login.account?.groups == groups)
        #expect(try await store.account(.id("a"))?.account.groups == groups)
        #expect(try await store.accounts(in: nil, after: nil, limit: 9).map(\.account.groups) == [groups, []])
        let members = try await store.accounts(in: GroupName("staff"), after: nil, limit: 9)
        #expect(members.map(\.account.groups) == [groups])
        #expect(try await store.accounts(in: GroupName("staff"), after: "ada@example.com", limit: 9).isEmpty)
        let export = try await store.export(accountID: "a", now: Make.start)
        #expect(export?.account.groups == groups)
    }

    @Test(arguments: Engine.allCases)
    func `an event is kept with a change, and with nothing else`(engine: Engine) async throws {
        let store = try await engine.open()
        #expect(try await store.addAccount(Make.account("a")))
        let change = GroupChange(accountID: "a", adding: try names("x", "y"), removing: try names("z"))
        #expect(try await store.changeGroups(change, event: Make.event(.groupsChanged, account: "a")))
        #expect(try await !store.changeGroups(change, event: Make.event(.groupsChanged, account: "a")))
        let swap = GroupChange(accountID: "a", adding: try names("z"), removing: try names("x"))
        #expect(try await store.changeGroups(swap, event: Make.event(.groupsChanged, account: "a")))
        #expect(try await store.account(.id("a"))?.account.groups == ["y", "z"])
        #expect(try await store.events(accountID: "a", limit: 9).count { $0.kind == .groupsChanged } == 2)
    }

    @Test(arguments: Engine.allCases)
    func `an account is in at most 100 groups, and one too many changes nothing`(engine: Engine) async throws {
        let store = try await engine.open()
        #expect(try await store.addAccount(Make.account("a")))
        let hundred = Set(try (0..<100).map { try #require(GroupName("g\($0)")) })
        #expect(try await add(hundred, to: "a", store))
        await #expect(throws: TooManyGroups.self) { try await add(names("one-more"), to: "a", store) }
        #expect(try await store.account(.id("a"))?.account.groups.count == 100)
        let swap = GroupChange(accountID: "a", adding: try names("new"), removing: try names("g0"))
        #expect(try await store.changeGroups(swap, event: Make.event(.groupsChanged, account: "a")))
        #expect(try await store.events(accountID: "a", limit: 9).count { $0.kind == .groupsChanged } == 2)
    }

    @Test(arguments: Engine.allCases)
    func `groups go with their account, and nobody else's`(engine: Engine) async throws {
        let store = try await engine.open()
        await #expect(throws: Superseded.self) { try await add(names("x"), to: "nobody", store) }
        for (id, email): (AccountID, String) in [("a", "ada@example.com"), ("b", "bob@example.com")] {
            #expect(try await store.addAccount(Make.account(id, email: "\(email)", token: id == "a" ? 1 : 2)))
            #expect(try await add(names("x"), to: id, store))
        }
        let erasure = AccountErasure(
            accountID: "a", session: nil, emailKey: "ada@example.com", failuresKey: Make.key(1),
            mailboxes: ["ada@example.com": .init(recipients: [], farewell: Make.mail())],
            event: Make.event(.accountDeleted, account: nil)
        )
        #expect(try await store.erase(erasure))
        #expect(try await store.addAccount(Make.account("a", token: 3)))
        #expect(try await store.account(.id("a"))?.account.groups == [])
        #expect(try await store.account(.id("b"))?.account.groups == ["x"])
    }
}
