/// The words a guesser who knows the person tries first: whole texts, their words, and these without digits.
package enum PersonalWords {
    private static let most = 100

    /// At most a hundred words of 3 to 64 bytes, lower-cased as zxcvbn wants them, the most telling first.
    package static func words(in context: [String]) -> [String] {
        var seen: Set<String> = []
        let wholes = context.map { $0.prefix(128).lowercased() }
        let words = wholes.flatMap { $0.split { !$0.isLetter && !$0.isNumber } }.map(String.init)
        let letters = words.flatMap { $0.split { !$0.isLetter } }.map(String.init)
        let useful = (words + letters + wholes).filter {
            $0.unicodeScalars.count >= 3 && $0.utf8.count <= 64 && !$0.utf8.contains(0) && seen.insert($0).inserted
        }
        return Array(useful.prefix(most))
    }
}
