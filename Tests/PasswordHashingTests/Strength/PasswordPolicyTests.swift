import Testing

@testable import Bytes
@testable import PasswordHashing

@Suite("Password policy")
struct PasswordPolicyTests {
    private let policy = PasswordPolicy(minimumLength: 8, minimumGuessesLog10: 6, site: ["Vestibule"])

    @Test(arguments: [
        ("", PasswordRefusal.missing), ("kX9#mQ2", .tooShort(minimum: 8)), ("🪜🔑🐎", .tooShort(minimum: 8)),
        (String(repeating: "ß", count: 513), .tooLong), (String(repeating: "e\u{301}", count: 5_000), .tooLong),
        ("password1", .guessable(.common)), ("vestibule", .guessable(.personal)),
        ("ada.lovelace", .guessable(.personal)), ("engine.example", .guessable(.personal)),
        ("Countess1", .guessable(.personal)), ("lovelace.ada12", .guessable(.personal)),
        ("        ", .guessable(.repeats)),
    ])
    func `a password is refused for its reason`(text: String, refusal: PasswordRefusal) {
        #expect(judge(text) == refusal)
    }

    @Test(arguments: ["correct horse battery staple", "kX9#mQ2v", "🪜🔑🐎🧲🪤🧷🪢🧵", " spaces count "])
    func `a good password is accepted`(text: String) {
        #expect(judge(text) == nil)
    }

    @Test func `exactly 1,024 bytes are accepted`() {
        let text = String(repeating: "kX9#mQ2v", count: 128)
        #expect(judge(text) == nil)
        #expect(judge(text + "!") == .tooLong)
    }

    @Test func `bytes are counted after composing`() {
        #expect(judge(String(repeating: "e\u{301}", count: 512)) != .tooLong)
    }

    private func judge(_ text: String) -> PasswordRefusal? {
        policy.judge(Password(text), email: "ada.lovelace@engine.example", displayName: "Countess Ada")
    }
}
