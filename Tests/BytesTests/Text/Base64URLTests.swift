import Testing

@testable import Bytes

struct Base64URLTests {
    @Test func `what is written is canonical`() {
        for count in 0..<70 {
            let text = Base64URL.encode((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ count) })
            #expect(Base64URL.isCanonical(text), "\(text)")
        }
    }

    /// Every byte in every place of short texts.
    @Test func `only what can be decoded is canonical`() {
        for start in ["", "A", "AA", "AAA", "_-z", "AAAA9"] {
            for byte in UInt8.min...UInt8.max {
                for text in [[byte] + start.utf8, start.utf8 + [byte]] {
                    let text = String(decoding: text, as: UTF8.self)
                    #expect(Base64URL.isCanonical(text) == (Base64URL.decode(text) != nil), "\(text)")
                }
            }
        }
    }
}
