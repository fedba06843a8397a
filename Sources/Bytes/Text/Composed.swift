import Foundation

extension String {
    /// The text in NFC (Unicode Standard Annex 15).
    package var composed: String {
        // ASCII is its own NFC, and Foundation takes microseconds to find that out.
        isASCII ? self : precomposedStringWithCanonicalMapping
    }

    /// The text in NFC, without white space and invisible marks, such as those of direction, at its
    /// ends.
    package var trimmedAndComposed: String {
        guard !isASCII else { return trimmingASCIIWhitespace }
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.isTrimmed }),
            let last = scalars.lastIndex(where: { !$0.isTrimmed })
        else { return "" }
        return String(scalars[first...last]).precomposedStringWithCanonicalMapping
    }

    /// Whether at most 30 combining marks follow each other: the Stream-Safe Text Format of Unicode
    /// Standard Annex 15, section 13. No language needs as many, and to normalize a run of them, as
    /// comparing does, takes quadratic time.
    package var isStreamSafe: Bool {
        // Each takes two bytes or more, none of them ASCII; bytes are quicker to look at.
        var bytes = 0
        let mayHaveMore = utf8.contains { byte in
            bytes = byte < 0x80 ? 0 : bytes + 1
            return bytes > 60
        }
        guard mayHaveMore else { return true }
        var marks = 0
        return unicodeScalars.allSatisfy { scalar in
            marks = scalar.isCombining ? marks + 1 : 0
            return marks <= 30
        }
    }

    package var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}

extension Unicode.Scalar {
    /// White space, and format characters that show nothing: nobody sees them in what they copy.
    /// Joiners and the tags of an emoji change how their neighbours look, so they are kept.
    fileprivate var isTrimmed: Bool {
        guard properties.generalCategory == .format else { return properties.isWhitespace }
        return properties.isDefaultIgnorableCodePoint && !isJoiner && value < 0xE0000
    }

    /// Marks, and the three letters that decompose into nothing else.
    fileprivate var isCombining: Bool {
        // No scalar below it is one, and to look up the properties of each letter takes longer.
        value >= 0x0300
            && (properties.canonicalCombiningClass != .notReordered || [0x0F73, 0x0F75, 0x0F81].contains(value))
    }
}
