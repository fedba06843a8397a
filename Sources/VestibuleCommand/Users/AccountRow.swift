import Essentials
import Foundation
import Vestibule

/// An account in a listing.
struct AccountRow: ListedRow {
    let id: AccountID
    let email, displayName, locale: String
    let createdAt: Date
    let verifiedAt, disabledAt: Date?
    let termsVersion: String?
    /// Absent without a password.
    let passwordScheme: String?
    let groups: [String]

    init(_ summary: AccountSummary) {
        let account = summary.account
        id = account.id
        email = account.email.typed
        displayName = account.displayName
        locale = account.locale
        createdAt = account.createdAt
        verifiedAt = account.verifiedAt
        disabledAt = account.disabledAt
        termsVersion = account.termsVersion
        passwordScheme = summary.passwordScheme
        groups = account.groups
    }

    static let columns = ["ID", "CREATED (UTC)", "STATE", "PASSWORD", "ADDRESS", "NAME"]

    var cells: [String] { [id.rawValue, createdAt.utc, state, passwordScheme ?? "-", email, displayName] }

    var state: String {
        if disabledAt != nil { return "disabled" }
        return verifiedAt == nil ? "unverified" : "active"
    }
}

extension OperatorSession {
    /// What a command has done to an account: a sentence, or the account as it is now.
    func report(_ sentence: String, _ account: Account, json: Bool) async throws {
        let output = Output()
        if json {
            try output.json(AccountRow(try await self.account(account.id)))
        } else {
            try output.line(Printable.text(sentence))
        }
        try output.flush()
    }
}

extension OperatorOptions {
    /// Does something to the account of that address or id, and says what came of it.
    func change(
        _ name: String, _ change: @escaping @Sendable (Administration, Account) async throws -> String
    ) async throws {
        let json = json
        try await OperatorSession.open(common) { session in
            let account = try await session.account(name).account
            try await session.report(try await change(session.administration(), account), account, json: json)
        }
    }
}
