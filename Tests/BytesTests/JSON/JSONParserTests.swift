import Testing

@testable import Bytes

@Suite struct JSONParserTests {
    @Test(arguments: [
        (#" { "a" : "b" } "#, JSONValue.object(["a": .string("b")])),
        (#"{"a":{"x":[1,-0.5e+2,true,false,null]}}"#, .object(["a": .object(["x": .array(Self.mixed)])])),
        (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{c}\n\r\t")), (#""\u00e9\ud83d\ude80é🚀""#, .string("é🚀é🚀")),
        (#""\u0000""#, .string("\0")), ("[]", .array([])), ("{}", .object([:])), ("0", .number("0")),
        (
            #"{"a":{"b":1},"c":{"b":1}}"#,
            .object(["a": .object(["b": .number("1")]), "c": .object(["b": .number("1")])])
        ),
    ])
    func `JSON is read as it was meant`(text: String, value: JSONValue) throws {
        let read = try JSONParser.parse(Array(text.utf8))
        #expect(read == value)
    }

    private static let mixed: [JSONValue] = [.number("1"), .number("-0.5e+2"), .bool(true), .bool(false), .null]

    @Test(arguments: [
        "", " ", "{", "}", "[1,]", "[,1]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "{a:1}", "'a'", "\"a", "\"\n\"",
        #""\x""#, #""\u12""#, #""\uD800""#, #""\uDC00""#, #""\uD800\u0061""#, "01", "1.", ".5", "+1", "1e", "--1",
        "tru",
        "nul", "NaN", "// x\n1", "1 2", #"{"a":1,"\u0061":2}"#, #"[{"a":1,"a":1}]"#,
    ])
    func `what is not JSON, or names something twice, is refused`(text: String) {
        #expect(throws: JSONParser.Fault.self) { try JSONParser.parse(Array(text.utf8)) }
    }

    @Test func `towers of combining marks are refused, escaped or not, in names and texts`() throws {
        let (low, high) = (String(repeating: "\u{316}", count: 30), String(repeating: #"\u0316"#, count: 31))
        _ = try JSONParser.parse(Array("{\"a\(low)\":\"\(low)\"}".utf8))
        for text in ["\"a\(low)\u{316}\"", "\"\(high)\"", "{\"\(high)\":1}"] {
            #expect(throws: JSONParser.Fault.self) { try JSONParser.parse(Array(text.utf8)) }
        }
    }

    @Test func `nothing is nested more than 32 deep`() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        _ = try JSONParser.parse(nested(32))
        #expect(throws: JSONParser.Fault.self) { try JSONParser.parse(nested(33)) }
    }

    @Test func `other encodings than UTF-8 are refused`() {
        for bytes in [[0x22, 0xE9, 0x22], [0x22, 0xC0, 0x80, 0x22], [0xEF, 0xBB, 0xBF, 0x30], [0, 0x30]] as [[UInt8]] {
            #expect(throws: JSONParser.Fault.self) { try JSONParser.parse(bytes) }
        }
    }
}
