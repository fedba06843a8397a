import Foundation
import TestSupport

@testable import Essentials
@testable import Vestibule
@testable import VestibuleSQL
@testable import VestibuleSQLite

/// Accounts and mails for commands to work on.
extension Program {
    /// No limits: the tests are about something else.
    static let easy = [
        "VESTIBULE_LIMIT_SIGNUP": "off", "VESTIBULE_LIMIT_LOGIN": "off", "VESTIBULE_LIMIT_MAIL": "off",
        "VESTIBULE_LIMIT_VERIFY": "off",
        "VESTIBULE_LIMIT_RESET": "off",
    ]
    static let password = "correct horse battery"

    var database: String { folder + "/data/vestibule.sqlite" }

    /// Makes the database and its secret key.
    func settle() async throws {
        let server = try await Server(self)
        _ = await server.end(SIGTERM)
    }

    /// Puts accounts into the database, past every command, each with a mail of so many bytes;
    /// their addresses are returned.
    @discardableResult
    func populate(_ emails: [String], mailBytes: Int = 1) async throws -> [String] {
        let store = try SQLiteStore(path: database)
        _ = try store.migrate()
        for email in emails {
            let account = Account(
                id: AccountID(from: .system), email: "\(email)", displayName: "Ada", createdAt: Date(), verifiedAt: nil,
                locale: "en", termsVersion: nil
            )
            _ = try await store.addInvitedAccount(account, reset: Self.reset(account, mailBytes: mailBytes))
        }
        try store.close()
        return emails
    }

    /// Changes the database past every command.
    func change(_ statement: String) async throws {
        let script = "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute(sys.argv[2]); d.commit()"
        let outcome = try await run(["-c", script, database, statement], of: "/usr/bin/python3")
        guard outcome.status == 0 else { throw NotChanged(why: outcome.errors) }
    }

    struct NotChanged: Error {
        let why: String
    }

    private static func reset(_ account: Account, mailBytes: Int) -> MailedReset {
        let digest = Token(from: .system).digest
        return MailedReset(
            pending: PendingReset(
                code: PendingCode(
                    flow: digest, email: account.email,
                    digest: CodeDigest(bytes: Array(repeating: 1, count: 32)), codeExpiresAt: Date(),
                    expiresAt: Date()),
                locale: "en"
            ),
            mail: QueuedMail(
                id: Randomness.system.id(), sealed: Array(repeating: 1, count: mailBytes), createdAt: Date(),
                attempts: 0),
            event: SecurityEvent(
                id: Randomness.system.id(), kind: .accountInvited, accountID: account.id, at: Date(), address: nil,
                userAgent: ""
            )
        )
    }

    /// Signs up in a browser of its own; returns the session's cookie.
    func signUp(_ email: String, name: String = "Ada", at server: Server) async throws -> String {
        let address = email.replacing("@", with: "%40")
        let password = Self.password.replacing(" ", with: "+")
        let name = name.replacing(" ", with: "+")
        let form = "display_name=\(name)&email=\(address)&password=\(password)&password_confirmation=\(password)"
        let answer = try await server.send("/signup", form: form + "&terms=accepted")
        let flow = answer.cookie("vestibule-flow")
        let code = try await code(for: email)
        return try await server.send("/signup/verify", form: "code=\(code)", cookie: flow).cookie("vestibule")
    }

    /// The code in the newest mail to that address; waits for the file the server writes, with a
    /// deadline.
    func code(for email: String) async throws -> String {
        let deadline = Date() + 120
        while Date() < deadline {
            if let code = mails(to: email).last?.firstMatch(of: /\b\d{6}\b/)?.output { return String(code) }
            // Another process writes the file and can tell nobody; the deadline above ends the
            // wait.
            try await Task.sleep(for: .milliseconds(20))
        }
        throw NoMail()
    }

    /// Mails in the outbox folder, oldest first.
    func mails(to email: String) -> [String] {
        let mails = folder + "/data/mail"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: mails)) ?? []
        return names.filter { $0.hasSuffix(".eml") }.sorted()
            .compactMap { try? String(contentsOfFile: "\(mails)/\($0)", encoding: .utf8) }
            .filter { $0.contains("\r\nTo: \(email)\r\n") }
    }

    struct NoMail: Error {}
}

extension Program.Outcome {
    /// The lines of stdout, each read as a JSON object.
    func objects() throws -> [[String: Any]] {
        try output.split(separator: "\n").map { line in
            guard let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
                throw NotAnObject()
            }
            return object
        }
    }

    struct NotAnObject: Error {}

    /// Whether stderr is one line of error and one of hint, and stdout is empty.
    var isRefusal: Bool {
        let lines = errors.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.count == 3 && lines[0].hasPrefix("vestibule: error: ") && lines[1].hasPrefix("hint: ")
            && lines[2].isEmpty && output.isEmpty
    }
}
