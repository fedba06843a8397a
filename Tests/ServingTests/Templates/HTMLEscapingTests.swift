import Testing

@testable import Essentials
@testable import Serving

@Suite struct HTMLEscapingTests {
    static let behind: [Unicode.Scalar] = [
        "\u{301}", "\u{200D}", "\u{FE0F}", "\u{20E3}", "\u{903}", "\u{1F3FB}", "\u{E0041}",
    ]
    static let before: [Unicode.Scalar] = ["\u{600}", "\u{D4E}", "\u{110BD}"]

    @Test(arguments: [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;"), ("'", "&#39;")])
    func `nothing beside a character keeps it from being escaped`(character: String, entity: String) {
        for mark in Self.behind {
            #expect(HTMLEscaping().escapeText("a\(character)\(mark)b").utf8.elementsEqual("a\(entity)\(mark)b".utf8))
        }
        for mark in Self.before {
            #expect(HTMLEscaping().escapeText("a\(mark)\(character)b").utf8.elementsEqual("a\(mark)\(entity)b".utf8))
        }
        #expect(HTMLEscaping().escapeText("Ünal – \u{1F1E6}\u{1F1F9}") == "Ünal – \u{1F1E6}\u{1F1F9}")
    }

    /// By what this Swift takes for one character: a scalar of which this is true and that is not
    /// refused would hide a quote.
    @Test func `every scalar that hides what follows is invisible or known to join`() {
        let hiding = (0x80...0x10FFFF).lazy.compactMap(Unicode.Scalar.init).filter {
            "\($0)a".count == 1 && !$0.isInvisible && !$0.joinsNext
        }
        #expect(hiding.map { String($0.value, radix: 16) } == [])
    }
}
