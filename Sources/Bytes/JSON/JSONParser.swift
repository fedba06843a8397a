/// Reads JSON strictly (RFC 8259): UTF-8, no name twice in an object, no half surrogates, no towers
/// of combining marks, at most 32 levels deep.
///
/// Foundation's decoders keep one of two equal names without saying so, and guess other encodings.
package struct JSONParser {
    /// Why it is no JSON, for the developer of the client.
    package struct Fault: Error, Equatable {
        package let reason: String
        /// The name that stands twice in an object, when that is the reason.
        package var repeatedName: String?

        package init(reason: String, repeatedName: String? = nil) {
            self.reason = reason
            self.repeatedName = repeatedName
        }
    }

    private static let depthAtMost = 32
    package let bytes: [UInt8]
    package var position = 0

    /// The one value in these bytes.
    package static func parse(_ bytes: [UInt8]) throws(Fault) -> JSONValue {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw Fault(reason: "The body is not UTF-8.") }
        var parser = JSONParser(bytes: bytes)
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.position == bytes.count else { throw parser.broken }
        return value
    }

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    var broken: Fault { Fault(reason: "The body is not JSON: see byte \(position).") }
    package var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    package mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    package mutating func take(_ text: StaticString) throws(Fault) {
        for index in 0..<text.utf8CodeUnitCount {
            guard next == text.utf8Start[index] else { throw broken }
            position += 1
        }
    }

    private mutating func value(depth: Int) throws(Fault) -> JSONValue {
        guard depth < Self.depthAtMost else { throw Fault(reason: "The body is nested too deeply.") }
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return .object(try object(depth))
        case UInt8(ascii: "["): return .array(try array(depth))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"):
            try take("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try take("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try take("null")
            return .null
        default: return .number(try number())
        }
    }

    private mutating func object(_ depth: Int) throws(Fault) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        try take("{")
        skipSpace()
        while next != UInt8(ascii: "}") {
            if !members.isEmpty { try take(",") }
            skipSpace()
            let name = try string()
            skipSpace()
            try take(":")
            guard members.updateValue(try value(depth: depth + 1), forKey: name) == nil else {
                throw Fault(reason: "The body has the name “\(name.showable(atMost: 64))” twice.", repeatedName: name)
            }
            skipSpace()
        }
        try take("}")
        return members
    }

    private mutating func array(_ depth: Int) throws(Fault) -> [JSONValue] {
        var elements: [JSONValue] = []
        try take("[")
        skipSpace()
        while next != UInt8(ascii: "]") {
            if !elements.isEmpty { try take(",") }
            elements.append(try value(depth: depth + 1))
            skipSpace()
        }
        try take("]")
        return elements
    }

    private mutating func number() throws(Fault) -> String {
        let start = position
        skip("-")
        // Byte by byte: a body may hold tens of thousands of numbers, and a regular expression
        // takes 50 µs for each.
        if !skip("0") { try digits() }
        if skip(".") { try digits() }
        if skip("e") || skip("E") {
            _ = skip("+") || skip("-")
            try digits()
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// One digit or more.
    private mutating func digits() throws(Fault) {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw broken }
    }

    /// Goes past that byte if it is the next one.
    @discardableResult private mutating func skip(_ byte: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }
}
