import Essentials
import PasswordHashing

/// What it takes to judge the slowest passwords: zxcvbn looks longest at runs of one character, and
/// longer still where words it tries are made of them.
enum Estimates {
    private static let parts = ["a", "1", "4@", "aaa.", "🪜a"]
    private static let address = (3...63).map { repeated("a", $0) }.joined(separator: ".") + "@example.com"
    private static let policy = PasswordPolicy(minimumLength: 8, minimumGuessesLog10: 6, site: ["Vestibule"])

    /// Processor milliseconds of the slowest; of each the quickest of five.
    static func slowestMilliseconds() -> Double {
        let times = parts.map { part in
            let (password, name) = (Password(repeated(part, 10_000)), repeated("a4", 30_000))
            return (0..<5).reduce(Double.infinity) { least, _ in
                let start = ThreadTime.now
                _ = policy.assess(password, email: address, displayName: name)
                return min(least, ThreadTime.now - start)
            }
        }
        return 1000 * (times.max() ?? 0)
    }

    private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
}
