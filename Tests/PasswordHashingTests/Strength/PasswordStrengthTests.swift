import Testing

@testable import PasswordHashing

@Suite("Password strength")
struct PasswordStrengthTests {
    @Test(arguments: [
        ("password1", PasswordStrength.Weakness.common), ("P@ssw0rd", .common), ("lovelace", .personal),
        ("AdaLovelace", .personal), ("L0velace", .personal), ("aaaaaaaaaaaa", .repeats), ("abcabcabcabc", .repeats),
        ("abcdefghij", .sequence), ("2019-04-12", .date), ("zxcvfr", .keyboard), ("", .other),
    ])
    func `a weak password is weak for its reason`(text: String, weakness: PasswordStrength.Weakness) {
        let strength = estimate(text)
        #expect(strength.guessesLog10 < 6)
        #expect(strength.score < 2)
        #expect(strength.weakness == weakness)
    }

    @Test(arguments: ["correct horse battery staple", "kX9#mQ2v", "лошадь скрепка батарея"])
    func `a strong password is strong`(text: String) {
        #expect(estimate(text).score == 4)
    }

    @Test func `a name is weak only for whom it belongs to`() {
        #expect(estimate("Ångström-Ångström", context: ["Ångström"]).weakness == .personal)
        #expect(estimate("Ångström-Ångström", context: []).guessesLog10 > 8)
    }

    @Test func `what C cannot read is no way round the estimate`() {
        #expect(estimate("\0\0password\0").guessesLog10 < 6)
        #expect(estimate("aaaa\0kX9#mQ2v").score == 4)
        #expect(estimate("lovelace", context: ["\0lovelace\0", "\u{1F469}\u{200D}"]).weakness == .personal)
    }

    @Test func `only the beginning of a password counts`() {
        let text = String(repeating: "kX9#mQ2v🪜ß", count: 10)
        #expect(estimate(text + text) == estimate(text))
    }

    @Test func `the estimate is the same on many threads at once`() async {
        let expected = estimate("Tr0ub4dour&3 1990")
        await withTaskGroup(of: PasswordStrength.self) { group in
            for _ in 0..<200 { group.addTask { estimate("Tr0ub4dour&3 1990") } }
            for await strength in group { #expect(strength == expected) }
        }
    }

    private func estimate(_ text: String, context: [String] = ["ada@example.com", "Ada Lovelace"]) -> PasswordStrength {
        PasswordStrength.estimate(Password(text).beginning, words: PersonalWords.words(in: context))
    }
}
