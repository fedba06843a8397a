import Bytes
import Testing

@testable import Vestibule

@Suite struct DisplayNameTests {
    @Test(arguments: [
        "Ada", "می\u{200C}خواهم", "ක්\u{200D}ෂ", "അനില്\u{200D} കുമാര്\u{200D}", "\u{D4E}ന", "👩\u{200D}🔬",
        "🧙🏽\u{200D}♂\u{FE0F}",
        "❤\u{FE0F}", "葛\u{E0100}飾", "O\u{2019}Neill", "a<b>&\"'c",
    ])
    func `what people are called is kept`(name: String) throws {
        #expect(try DisplayName(name).text.unicodeScalars.count == name.unicodeScalars.count)
    }

    @Test(arguments: [
        "\u{200F}محمد", "\u{202B}محمد\u{202C}", "\u{2067} محمد \u{2069}", "\u{FEFF}محمد\u{200B}\u{200E}\n",
        "محمد\u{AD}",
    ])
    func `marks that came along around a name are dropped`(name: String) throws {
        #expect(try DisplayName(name).text.isExactly("محمد"))
    }

    @Test(arguments: ["\u{200F}", "\u{2068}\u{2069}", "\u{FEFF} \u{200B}", "\u{200D}", "\u{200E}\u{3164}"])
    func `a name of nothing else is missing`(name: String) {
        #expect(throws: Refusal.displayNameMissing) { try DisplayName(name) }
    }

    @Test(arguments: [
        "\"\u{301}>\u{301}\u{600}<meta http-equiv=refresh content=0;url=//e.co \u{600}>", "a\u{600}", "\u{110BD}1",
        "🏴\u{E0067}\u{E007F}", "a\u{200F}b\u{200F}",
        "a\u{D4E}", "\u{D4E}<b", "\u{D4E}1", "a\u{200E}b", "a\u{AD}b", "a\u{E0041}", "a\u{FEFF}b", "a<\u{200D}b",
        "a\u{200D}\u{200D}b", " \u{200D}a", "1\u{200C}2", "a\u{2028}b", "a\u{85}b", "a\u{206A}b", "a\u{FFF9}b",
    ])
    func `what only hides something is refused`(name: String) {
        #expect(throws: Refusal.displayNameInvalid) { try DisplayName(name) }
    }
}
