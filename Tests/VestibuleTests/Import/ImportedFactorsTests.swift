import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// Second factors that come along with accounts.
@Suite(.timeLimit(.minutes(15)))
struct ImportedFactorsTests {
    private static let email = "ada@example.com"
    static let key = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    static let hash = "$2b$04$UHDZTbdLrvaelEUTG4m7j.LRJEkFWvfRoKZWHcHfYhOTGhrt7Q5CG"

    private func line(_ more: String) -> String {
        "{\"address\": \"ada@example.com\", \"verified\": true\(more)}"
    }

    @Test func `app and codes of another system open the account, each code once`() async throws {
        try await withHouse { house in
            let imported = try await Importer(store: house.services.store, key: House.key).run([
                line(
                    ", \"totp\": \"gezd gnbv gy3t qojq gezd gnbv gy3t qojq\", \"recovery_codes\": [\"4F8A-91C0\", \"12345678\"]"
                )
            ])
            #expect(imported.summary.imported == 1)
            try await house.setPassword(Self.email)
            let app = try AuthenticatorApp(typing: Self.key)
            for (code, opens) in [
                (app.code(at: house.clock.now), true), ("4f8a91c0", true), ("4f8a91c0", false), ("1234 5678", true),
            ] {
                let visitor = house.visitor(at: "203.0.113.7")
                #expect(try await visitor.logIn(email: Self.email).location == "/login/second")
                #expect(try await (visitor.second(code: code).status == .seeOther) == opens, "\(code)")
            }
            #expect(try await house.factors(of: Self.email).recoveryCodes?.left == 0)
        }
    }

    @Test func `at the first reset of an unproved account they go`() async throws {
        try await withHouse { house in
            let line = line(", \"totp\": \"\(Self.key)\"").replacing("true", with: "false")
            let imported = try await Importer(store: house.services.store, key: House.key).run([line])
            #expect(imported.summary.imported == 1 && imported.summary.unverifiedFactors == 1)
            try await house.setPassword(Self.email)
            let visitor = house.visitor(at: "203.0.113.7")
            // It is asked for the terms, and for nothing else.
            #expect(try await visitor.logIn(email: Self.email).location == "/account/terms?return_to=/account")
        }
    }

    static let refused: [(String, ImportRefusal)] = [
        (", \"totp\": \"GEZDGNBV\"", .totpInvalid), (", \"totp\": \"otpauth://totp/x\"", .totpInvalid),
        (", \"totp\": 1", .wrongType(key: "totp", wanted: "a text")),
        (", \"recovery_codes\": [\"4f8a91c0\"]", .recoveryCodesAlone),
        (
            ", \"totp\": \"\(key)\", \"recovery_codes\": [1]",
            .wrongType(key: "recovery_codes", wanted: "a list of texts")
        ),
        (", \"totp\": \"\(key)\", \"recovery_codes\": []", .recoveryCodesInvalid),
        (", \"totp\": \"\(key)\", \"recovery_codes\": [\"4f8a91c0\", \"4F8A-91C0\"]", .recoveryCodesInvalid),
        (", \"totp\": \"\(key)\", \"recovery_codes\": [\"\(hash)\"]", .recoveryCodesInvalid),
        (
            ", \"totp\": \"\(key)\", \"recovery_codes\": [\"5f4dcc3b5aa765d61d8327deb882cf99\"]",
            .recoveryCodesInvalid
        ),
    ]

    @Test(arguments: refused)
    func `what cannot be taken is said`(more: String, refusal: ImportRefusal) async throws {
        let store = try await sharedStore()
        let outcome = try await Importer(store: store, key: House.key).run([line(more)])
        #expect(outcome.refused == [1: refusal] && outcome.summary.imported == 0)
        #expect(!refusal.reason.contains("4f8a") && !refusal.reason.contains(Self.key))
    }

    @Test func `without a secret key only lines without factors are taken`() async throws {
        let outcome = try await Importer(store: sharedStore(), skipRefused: true).run([
            line(", \"totp\": \"\(Self.key)\""), "{\"address\": \"bob@example.com\"}",
        ])
        #expect(outcome.refused == [1: .secretKeyMissing] && outcome.summary.imported == 1)
    }
}

extension House {
    /// Chooses a password by a reset, in a browser that is known after that.
    fileprivate func setPassword(_ email: String) async throws {
        let owner = visitor()
        try await owner.post("/reset", ["email": email])
        let code = try await mailbox.code(for: email)
        let password = Browser.goodPassword
        try await owner.post(
            "/reset/verify", ["code": code, "password": password, "password_confirmation": password])
    }
}
