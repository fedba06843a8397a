import Testing

@testable import Essentials

struct TypedCodeTests {
    @Test(arguments: [
        ("123 456", "123456"), ("\u{200E}123\u{2011}456 ", "123456"), ("١٢٣٤٥٦", "123456"), ("１２３４５６", "123456"),
        ("AbC-1", "abc1"), ("", ""), ("123456. ", "123456"), ("123456。", "123456"),
    ])
    func `spaces, dashes, marks and a full stop are left out, all digits are read`(
        typed: String, read: String
    ) {
        #expect(TypedCode.read(typed) == read)
    }

    @Test(arguments: ["12345,6", "12345é", "½23456", "①23456", "12345\u{301}"])
    func `anything else is no code`(typed: String) {
        #expect(TypedCode.read(typed) == nil)
    }

    @Test func `digits are counted, and letters are none`() {
        #expect(TypedCode.digits("12 34 56", 6...6) == "123456")
        #expect(TypedCode.digits("12345", 6...6) == nil && TypedCode.digits("1234567", 6...6) == nil)
        #expect(TypedCode.digits("12345a", 6...6) == nil)
    }
}
