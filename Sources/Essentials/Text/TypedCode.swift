/// What somebody typed where a code is asked for.
package enum TypedCode {
    /// Without spaces, dashes and marks of direction, and punctuation at the end, with digits of
    /// every script as ASCII digits and ASCII letters in lower case. Returns nil if anything else
    /// remains.
    package static func read(_ typed: String) -> String? {
        var kept = typed.unicodeScalars.filter { !$0.properties.isWhitespace && !$0.properties.isDash && !$0.isFormat }
        // A full stop is copied with the code before it.
        while kept.last?.properties.generalCategory == .otherPunctuation { kept.removeLast() }
        let read = kept.compactMap { $0.decimalDigit ?? $0.letter }
        return read.count == kept.count ? String(decoding: read, as: UTF8.self) : nil
    }

    /// The same for a code of that many digits. Returns nil for anything else.
    package static func digits(_ typed: String, _ count: ClosedRange<Int>) -> String? {
        read(typed).flatMap { code in
            count.contains(code.utf8.count) && code.utf8.allSatisfy(\.isASCIIDigit) ? code : nil
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isFormat: Bool { properties.generalCategory == .format }

    /// As an ASCII digit, if it is one of a decimal system (Unicode, section 4.6).
    fileprivate var decimalDigit: UInt8? {
        guard properties.numericType == .decimal, let value = properties.numericValue else { return nil }
        return UInt8(ascii: "0") + UInt8(value)
    }

    /// As an ASCII letter in lower case.
    fileprivate var letter: UInt8? {
        guard isASCII, properties.isAlphabetic else { return nil }
        return UInt8(value).asciiLowercased
    }
}
