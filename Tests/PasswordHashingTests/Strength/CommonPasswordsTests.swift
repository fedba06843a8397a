import Testing

@testable import PasswordHashing

@Suite("Common passwords")
struct CommonPasswordsTests {
    // The first sixteen digits of the SHA-256 of "q1w2e3r4t5y6".
    private static let line = "40f598cc76550d29"

    @Test(
        arguments: ["q1w2e3r4t5y6", "Q1W2e3r4t5y6"], ["", "# a comment\n\n", "# a comment\r\n\r\n40f598cc76550d29\r\n"])
    func `one of the list is refused in either case, however good its estimate`(text: String, above: String) throws {
        let common = try CommonPasswords(lines: "\(above)\(Self.line)\n")
        for (list, refusal) in [(common, PasswordRefusal.guessable(.common)), (CommonPasswords(), nil)] {
            let policy = PasswordPolicy(minimumLength: 8, minimumGuessesLog10: 6, site: ["Vestibule"], common: list)
            let judged = policy.judge(Password(text), email: "ada@example.com", displayName: nil)
            let assessed = policy.assess(Password(text), email: "ada@example.com", displayName: nil)
            #expect(judged == refusal && assessed.refusal == refusal && (assessed.score < 2) == (refusal != nil))
        }
        #expect(!common.contains(Password("q1w2e3r4t5y6 ")))
    }

    @Test(arguments: [(4.0, false), (5, true)])
    func `one of the list counts as found after 40,000 tries`(minimum: Double, isRefused: Bool) throws {
        let common = try CommonPasswords(lines: Self.line)
        let policy = PasswordPolicy(minimumLength: 8, minimumGuessesLog10: minimum, site: ["Vestibule"], common: common)
        let judged = policy.judge(Password("q1w2e3r4t5y6"), email: "ada@example.com", displayName: nil)
        #expect(judged == (isRefused ? .guessable(.common) : nil))
    }

    @Test(arguments: ["x", "0123456789abcde", "0123456789abcdefg", "+123456789abcdef", "0123456789abcdef "])
    func `a line that is no digest is refused`(line: String) throws {
        let fault = #expect(throws: CommonPasswords.Fault.self) { try CommonPasswords(lines: "#\n\n\(line)\n") }
        #expect(fault?.reason == "line 3 is not sixteen hexadecimal digits")
    }

    @Test(arguments: ["", "\n", "# a comment\r\n"])
    func `a list without a password is refused`(lines: String) {
        #expect(throws: CommonPasswords.Fault.self) { try CommonPasswords(lines: lines) }
    }
}
