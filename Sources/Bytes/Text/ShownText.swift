extension Unicode.Scalar {
    /// Controls, ends of lines and format characters: they take no ink and steer how others are
    /// shown.
    package var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: false
        }
    }

    /// Letters that are drawn as one with the character behind them, whatever that is (Unicode
    /// Standard Annex 29, `Prepend`; those that are format characters are left out).
    package var joinsNext: Bool { Self.prepending.contains(value) }

    /// ZWNJ and ZWJ.
    package var isJoiner: Bool { value == 0x200C || value == 0x200D }

    package var isLetterOrMark: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
        default: isMark
        }
    }

    package var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    private static let prepending: Set<UInt32> = [
        0x0D4E, 0x111C2, 0x111C3, 0x113D1, 0x1193F, 0x11941, 0x11A3A, 0x11A84, 0x11A85, 0x11A86, 0x11A87, 0x11A88,
        0x11A89,
        0x11D46, 0x11F02,
    ]
}

extension String {
    /// Whether it is text that can be shown: nothing invisible but joiners behind a letter, a mark
    /// or an emoji, which the spelling of names and emoji needs, and no prepending letter but
    /// before a letter of a script that has them.
    package var isShowable: Bool {
        var before: Unicode.Scalar = " "
        for scalar in unicodeScalars {
            if before.joinsNext, scalar.isASCII || !scalar.isLetterOrMark { return false }
            if scalar.isJoiner {
                guard before.isLetterOrMark || !before.isASCII && before.properties.isEmoji else { return false }
            } else if scalar.isInvisible {
                return false
            }
            before = scalar
        }
        return !before.joinsNext
    }

    /// Whether a mail reader may take part of it for a web or email address.
    package var mayBecomeLink: Bool {
        let stops = ".\u{2024}\u{3002}\u{FE52}\u{FF0E}\u{FF61}".unicodeScalars
        let isDomain = zip(unicodeScalars, unicodeScalars.dropFirst()).contains {
            stops.contains($0) && $1.isLetterOrMark
        }
        return isDomain || holds("://") || holds("@") || holds("/") && holds(".")
    }

    /// Its first so many scalars without those that take no ink or hide what stands beside them:
    /// what a stranger calls a program, for pages, mails and logs.
    package func showable(atMost count: Int) -> String {
        let kept = unicodeScalars.lazy.filter { !$0.isInvisible && !$0.joinsNext }.prefix(count)
        return String(String.UnicodeScalarView(kept))
    }
}
