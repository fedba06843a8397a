import Essentials

extension Unicode.Scalar {
    /// Controls, line and paragraph separators, and the bidi overrides that let a header pretend to
    /// be another.
    var isUnsafeInHeader: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
        }
    }

    /// `atext` of RFC 5322, 3.2.3, extended by RFC 6532 to what is not ASCII.
    var isAtomText: Bool {
        if isASCII {
            return UInt8(value).isASCIILetterOrDigit || "!#$%&'*+-/=?^_`{|}~".unicodeScalars.contains(self)
        }
        return !isUnsafeInHeader && !isInvisible && !joinsNext && !properties.isWhitespace
    }
}
