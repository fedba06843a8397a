import Foundation
import HTTPTypes
import Testing

@testable import Essentials
@testable import Vestibule

/// An authenticator app: it knows a key, and the time.
struct AuthenticatorApp: Sendable {
    let key: TOTPKey

    /// Types the key that stands on a page, or in an answer of the API.
    init(typing text: String) throws {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        let bits = try text.filter { $0 != " " }.map { try #require(letters.firstIndex(of: $0)) }
            .flatMap { value in (0..<5).map { value >> (4 - $0) & 1 } }
        key = TOTPKey(
            bytes: stride(from: 0, to: bits.count, by: 8).map { start in
                bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | UInt8($1) }
            })
    }

    func code(at now: Date) -> String {
        String(decoding: key.code(step: TOTP.step(at: now)), as: UTF8.self)
    }
}

extension Page {
    /// The key that is shown.
    var appKey: String? { body.firstMatch(of: /<p class="key"[^>]*>([A-Z2-7 ]+)</).map { String($0.output.1) } }

    /// What a hidden field holds.
    func hidden(_ name: String) throws -> String {
        let found = try Regex("name=\"\(name)\" value=\"([^\"]+)\"").firstMatch(in: body)
        return try #require(found?.output[1].substring).description
    }

    /// The recovery codes that are shown.
    var recoveryCodes: [String] { body.matches(of: /<li>([0-9a-z]{5}-[0-9a-z]{5})<\/li>/).map { String($0.output.1) } }
}

extension Browser {
    static let appPage = "/account/security/totp"
    static let codesPage = "/account/security/recovery-codes"

    /// Adds an authenticator app.
    @discardableResult
    func addApp(at now: Date) async throws -> AuthenticatorApp {
        let page = try await get(Self.appPage)
        let app = try AuthenticatorApp(typing: try #require(page.appKey))
        let added = try await confirmApp(page, code: app.code(at: now))
        try #require(added.status == .seeOther)
        return app
    }

    /// Types a code on the page that shows the key.
    @discardableResult
    func confirmApp(_ page: Page, code: String) async throws -> Page {
        try await post(Self.appPage, ["csrf": page.csrf ?? "", "setup": try page.hidden("setup"), "code": code])
    }

    @discardableResult
    func makeRecoveryCodes() async throws -> Page {
        try await post(Self.codesPage, ["csrf": try await get("/account").csrf ?? ""])
    }

    /// Answers the page that asks for a second factor; the form that waits then goes on.
    @discardableResult
    func prove(on asked: Page, code: String) async throws -> Page {
        let action = try #require(asked.body.firstMatch(of: /action="([^"]+\?held=[^"]+)"/)?.output.1)
        return try await post(String(action), ["csrf": asked.csrf ?? "", "code": code])
    }
}
