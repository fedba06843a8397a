import Testing

@testable import Bytes

@Suite struct TextBytesTests {
    @Test func `a separator is found whatever stands beside it`() {
        for text in ["a,\u{301}b", "a\u{D4E},b", "a\u{600},\u{200D}b"] { #expect(text.parts(by: ",").count == 2) }
        #expect("a=b=c".parts(by: "=", atMost: 2) == ["a", "b=c"] && ",".parts(by: ",") == ["", ""])
        #expect("a\r\nb\n\u{301}c\r".textLines == ["a", "b", "\u{301}c"])
    }

    @Test func `beginnings, ends and parts go by bytes`() {
        #expect("[\u{301}a".begins(with: "[") && "a\u{600}>".ends(with: ">") && "a\u{600}=?\u{301}".holds("=?"))
        #expect("x=\u{301}".after("x=")?.isExactly("\u{301}") == true && "x".after("xy") == nil)
        #expect("\u{600}}".before("}")?.isExactly("\u{600}") == true && "x".before("yx") == nil)
        #expect(" \t\u{301} ".trimmingSpaces.isExactly("\u{301}") && " \t".trimmingSpaces.isEmpty)
    }

    @Test func `another spelling is another text`() {
        #expect("\u{212A}" == "K" && !"\u{212A}".isExactly("K") && "\u{212A}".asciiLowercased.isExactly("\u{212A}"))
        #expect(!"\u{37E}".isExactly(";") && !"chun\u{212A}ed".isIgnoringCase("chunked"))
        #expect("Content-LENGTH".isIgnoringCase("content-length"))
    }

    @Test func `a program is called by what can be shown`() {
        #expect("a\u{0}\u{9B}b\u{202E}c\u{600}d\u{D4E}e\u{E0041}f\r\n".showable(atMost: 300).isExactly("abcdef"))
        #expect("é\u{301}x".showable(atMost: 2).isExactly("é\u{301}") && "a\u{200D}".showable(atMost: 9).isExactly("a"))
    }
}
