import Foundation
import Hummingbird
import Testing

@testable import Essentials
@testable import Serving
@testable import Vestibule

/// What features declare in their folders, read from the sources so that none can be forgotten.
@Suite(.timeLimit(.minutes(15)))
struct DeclarationTests {
    /// The names that extensions of a type declare, such as `static let login = Self("login", …)`.
    private func names(of type: String, made: String = "Self(") throws -> [String] {
        try sources("Sources/Vestibule").flatMap { text -> [String] in
            text.components(separatedBy: "extension \(type) {\n").dropFirst().flatMap { part in
                let body = part.components(separatedBy: "\n}").first ?? ""
                return body.components(separatedBy: " = \(made)\"").dropFirst().compactMap {
                    $0.components(separatedBy: "\"").first
                }
            }
        }
    }

    private func sources(_ folder: String) throws -> [String] {
        let root = URL(filePath: House.root).appending(path: folder)
        let files = try #require(FileManager.default.enumerator(atPath: root.path)).compactMap { $0 as? String }
        return try files.filter { $0.hasSuffix(".swift") }.map {
            try String(contentsOf: root.appending(path: $0), encoding: .utf8)
        }
    }

    private func expectUnique(_ names: [String], atLeast count: Int) {
        #expect(names.count >= count)
        #expect(Set(names).count == names.count, "\(names.sorted())")
    }

    private static let languages = ["en", "de", "ar"]

    private func sentences(_ language: String) throws -> Set<String> {
        let file = URL(filePath: House.root + "/Templates/locales/\(language).json")
        return Set(try LanguageFile(file, code: language).sentences.keys)
    }

    @Test func `kinds of event are unique, fit the store, and have words in every language`() throws {
        let kinds = try names(of: "SecurityEvent.Kind")
        expectUnique(kinds, atLeast: 31)
        #expect(kinds.allSatisfy { (1...64).contains($0.utf8.count) })
        // Never shown: the first belongs to a login, of the second nobody is left to read it, the
        // others are about no account, or for the operator.
        let hidden = [
            "password_rehashed", "account_deleted", "signing_key_added", "signing_keys_replaced",
            "machine_token_created", "machine_token_revoked", "client_secret_created", "client_secret_revoked",
            "entry_refused", "token_refused", "verdict_refused",
        ]
        let shown = kinds.filter { !hidden.contains($0) }
        for language in Self.languages {
            #expect(Set(shown.map { "activity.\($0)" }).subtracting(try sentences(language)) == [], "\(language)")
        }
    }

    @Test func `the commands know each kind of event that is kept`() throws {
        let kinds = try names(of: "SecurityEvent.Kind").filter { $0 != "passkey_refused" }
        #expect(SecurityEvent.Kind.kept == kinds.sorted())
    }

    @Test func `the page for operators says what each kind of event is`() throws {
        let page = try String(contentsOfFile: House.root + "/docs/operating/monitoring.md", encoding: .utf8)
        let section = try #require(page.components(separatedBy: "\n## What audit tail prints\n").last)
        let table = try #require(section.components(separatedBy: "\n## ").first)
        // Refused passkeys are in the log only.
        let missing = try names(of: "SecurityEvent.Kind").filter { !table.contains("`\($0)`") }
        #expect(missing == ["passkey_refused"])
    }

    @Test func `the inventory has each name that lines of the log have, and no other`() throws {
        let sources = try sources("Sources").joined()
        let page = try String(contentsOfFile: House.root + "/docs/inventory.md", encoding: .utf8)
        let section = try #require(page.components(separatedBy: "\n## Log\n").dropFirst().first)
        let rows = section.components(separatedBy: "\n## ")[0].matches(of: /\n\| (`.*?`) \|/)
        let listed = rows.flatMap { $0.output.1.matches(of: /`(\w+)`/).map { String($0.output.1) } }
        let written = ["log: \"", "\"event\": \""].flatMap { mark in
            sources.components(separatedBy: mark).dropFirst().compactMap { $0.components(separatedBy: "\"").first }
        }
        #expect(written.filter { !$0.hasPrefix("\\(") && !listed.contains($0) } == [])
        #expect(Set(listed).subtracting(sources.components(separatedBy: "\"")) == [])
        expectUnique(listed, atLeast: 63)
    }

    @Test func `notices are unique and have a sentence in every language`() throws {
        let notices = try names(of: "Notice", made: "Notice(")
        expectUnique(notices, atLeast: 29)
        for language in Self.languages {
            #expect(Set(notices.map { "notice.\($0)" }).subtracting(try sentences(language)) == [], "\(language)")
        }
    }

    @Test func `kinds of mail are unique, and have two templates and a subject in every language`() throws {
        let mails = try names(of: "MailContent.Kind")
        expectUnique(mails, atLeast: 18)
        for mail in mails {
            for form in ["txt", "html"] {
                let file = House.root + "/Templates/mail/\(mail).\(form).mustache"
                #expect(FileManager.default.fileExists(atPath: file), "\(file)")
            }
        }
        for language in Self.languages {
            #expect(Set(mails.map { "mail.\($0).subject" }).subtracting(try sentences(language)) == [], "\(language)")
        }
    }

    @Test func `cookies have names of their own, and each is locked to its host and out of reach of scripts`() throws {
        let names = try names(of: "SiteCookies.Kind", made: "SiteCookies.Kind(rawValue: ")
        let kinds = names.map(SiteCookies.Kind.init) + [.language, .flash]
        expectUnique(kinds.map(\.rawValue), atLeast: 12)
        let cookies = SiteCookies(publicURL: try #require(Origin("https://login.example.com")))
        for kind in kinds {
            for cookie in [cookies.set(kind, "x", maxAge: 60), cookies.clear(kind)] {
                let parts = Set(cookie.description.split(separator: "; ").map(String.init))
                #expect(cookie.description.hasPrefix("__Host-vestibule\(kind.rawValue)="))
                #expect(parts.isSuperset(of: ["Secure", "HttpOnly", "SameSite=Lax", "Path=/"]))
                #expect(!parts.contains { $0.hasPrefix("Domain") })
            }
        }
    }

    @Test func `limits are unique, so that no two actions share a counter`() throws {
        expectUnique(try names(of: "RateLimits.Action"), atLeast: 6)
    }
}
