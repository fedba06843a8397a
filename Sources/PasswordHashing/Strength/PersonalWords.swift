import Bytes

/// The words a guesser who knows the person or the site tries first: whole texts, their words, and
/// these without digits.
enum PersonalWords {
    /// zxcvbn looks for each of them at each place of the password.
    private static let most = 40
    /// Code points of a text that are read.
    private static let codePoints = 128

    /// At most forty words of 3 to 64 bytes, lower-cased as zxcvbn wants them, the most telling
    /// first.
    static func words(in context: [String]) -> [String] {
        var seen: Set<String> = []
        let wholes = context.map { lowercased($0.beginning(codePoints).composed) }
        let words = wholes.flatMap { parts(of: $0) { $0.isLetterOrMark || isNumber($0) } }
        let letters = words.flatMap { parts(of: $0, where: \.isLetterOrMark) }
        let useful = (words + letters + wholes).filter {
            $0.unicodeScalars.count >= 3 && $0.utf8.count <= 64 && !$0.utf8.contains(0) && seen.insert($0).inserted
        }
        return Array(useful.prefix(most))
    }

    private static func parts(of text: String, where belongs: (Unicode.Scalar) -> Bool) -> [String] {
        text.unicodeScalars.split { !belongs($0) }.map(String.init)
    }

    private static func lowercased(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { $0 += $1.properties.lowercaseMapping }
    }

    private static func isNumber(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.numericType != nil
    }
}

extension String {
    /// At most the first `count` code points.
    func beginning(_ count: Int) -> String {
        String(String.UnicodeScalarView(unicodeScalars.prefix(count)))
    }
}
