import Testing

@testable import Bytes
@testable import PasswordHashing

/// zxcvbn's time grows with the length it is given and the words it tries; `make bench` measures
/// it.
@Suite("What an estimate costs")
struct EstimateCostTests {
    private let policy = PasswordPolicy(minimumLength: 8, minimumGuessesLog10: 6, site: ["Vestibule"])

    private static let address = (3...63).map { "a" * $0 }.joined(separator: ".") + "@example.com"

    @Test(arguments: ["a", "4@", "aaa.", "🪜a", "kX9#mQ2v.."], [250, 10_000])
    func `of a long password 64 code points are estimated, with and without separators`(part: String, count: Int) {
        let beginning = Password(part * count).beginning
        #expect(beginning.scalars.count == 64)
        #expect((beginning.withoutSeparators?.scalars.count ?? 0) < 64)
    }

    @Test func `what follows the first 64 code points changes nothing`() {
        let beginning = "kX9#mQ2v🪜ß.lovelace" + "a" * 45
        #expect(beginning.unicodeScalars.count == 64)
        let estimate = policy.assess(Password(beginning), email: "ada@example.com", displayName: nil)
        for tail in ["a", "kX9#mQ2v", "🪜" * 100, "." * 60] {
            #expect(policy.assess(Password(beginning + tail), email: "ada@example.com", displayName: nil) == estimate)
        }
    }

    @Test func `a tail makes a guessable beginning no better`() {
        let judged = policy.judge(Password("a" * 64 + "kX9#mQ2v"), email: "ada@example.com", displayName: nil)
        #expect(judged == .guessable(.repeats))
    }

    @Test func `of a long address and name only so many words are tried`() {
        let words = PersonalWords.words(in: [
            Self.address, "a4b " * 20_000, "Ada Lovelace", "\u{1F469}\u{200D}" * 20_000,
        ])
        #expect(words.count <= 40)
        #expect(words.allSatisfy { $0.utf8.count <= 64 })
    }

    @Test func `words are found whatever marks stand in and beside them`() {
        let words = PersonalWords.words(in: ["A\u{30A}ngstro\u{308}m,Страйд\u{600}LOVE1815"])
        #expect(words.contains("ångström") && words.contains("love1815") && words.contains("love"))
    }
}

extension String {
    fileprivate static func * (text: String, count: Int) -> String {
        String(repeating: text, count: count)
    }
}
