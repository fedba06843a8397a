import Foundation
import Testing

@testable import Essentials

struct PercentEncodingTests {
    @Test(arguments: [
        ("", ""), ("plain é", "plain é"), ("a%20b", "a b"), ("%C3%A9%c3%a9", "éé"), ("%252F", "%2F"), ("%00", "\0"),
        ("+", "+"), ("https%3A%2F%2Fnotes.example.net%2Fback%3Fa%3D1", "https://notes.example.net/back?a=1"),
    ])
    func `escapes are decoded once`(escaped: String, text: String) {
        #expect(escaped.percentDecoded == text)
    }

    @Test(arguments: [
        "%", "a%2", "%%20", "%G0", "%0g", "%+1", "% 1", "%C3", "%FF", "a%A9", "%C3%A9%A9", "%C3%28", "%ED%A0%80",
        "%C0%AF",
    ])
    func `a broken escape, and what is no UTF-8, is refused`(escaped: String) {
        #expect(escaped.percentDecoded == nil)
    }

    @Test func `what is read is what Foundation reads`() {
        var chance = SystemRandomNumberGenerator()
        let parts = ["%", "2", "0", "a", "F", "g", "é", "%41", "%C3", "%A9", "%E2%82%AC", "%f0%9f%aa%9c"]
        for _ in 0..<5_000 {
            let text = (0..<6).compactMap { _ in parts.randomElement(using: &chance) }.joined()
            let read = text.percentDecoded
            #expect(read == nil || read == text.removingPercentEncoding, "\(text)")
        }
    }
}
