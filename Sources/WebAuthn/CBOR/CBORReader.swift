import Bytes

/// Reads CBOR strictly, before a C library sees it: of RFC 8949 only what CTAP 2 (section 8) lets
/// authenticators write. At most 4 levels and 256 items; keys are integers or text and differ; no
/// tags, no indefinite lengths. Heads may be longer than they need to be.
///
/// It needs no more time and memory than the bytes are worth: a length is compared with what is
/// there before anything is made of it, and a key of many combining marks, which would take seconds
/// to compare, is refused.
struct CBORReader {
    private static let depthAtMost = 4
    private var itemsLeft = 256
    private let bytes: ArraySlice<UInt8>
    private(set) var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// The one item in these bytes.
    static func item(in bytes: [UInt8]) throws(WebAuthnRefusal) -> CBORItem {
        var reader = CBORReader(bytes[...])
        let item = try reader.item()
        guard reader.position == bytes.endIndex else { throw .malformed }
        return item
    }

    /// The item that begins here.
    mutating func item() throws(WebAuthnRefusal) -> CBORItem {
        try item(depth: 0)
    }

    private mutating func item(depth: Int) throws(WebAuthnRefusal) -> CBORItem {
        guard itemsLeft > 0, depth <= Self.depthAtMost else { throw .malformed }
        itemsLeft -= 1
        let (kind, detail, value) = try head()
        switch kind {
        case 0: return .unsigned(value)
        case 1: return .negative(value)
        case 2: return .bytes(Array(try take(value)))
        case 3:
            guard let text = String(validating: try take(value), as: UTF8.self), text.isStreamSafe else {
                throw .malformed
            }
            return .text(text)
        case 4: return .array(try array(of: value, depth: depth + 1))
        case 5: return .map(try map(of: value, depth: depth + 1))
        case 7 where (20...23).contains(detail): return .simple(value)
        case 7 where (25...27).contains(detail): return .float(value)
        default: throw .malformed
        }
    }

    private mutating func array(of count: UInt64, depth: Int) throws(WebAuthnRefusal) -> [CBORItem] {
        guard count <= itemsLeft else { throw .malformed }
        var elements: [CBORItem] = []
        for _ in 0..<count { elements.append(try item(depth: depth)) }
        return elements
    }

    private mutating func map(of count: UInt64, depth: Int) throws(WebAuthnRefusal) -> [CBORItem: CBORItem] {
        guard count <= itemsLeft / 2 else { throw .malformed }
        var members: [CBORItem: CBORItem] = [:]
        for _ in 0..<count {
            let key = try item(depth: depth)
            guard key.isKey, members.updateValue(try item(depth: depth), forKey: key) == nil else { throw .malformed }
        }
        return members
    }

    /// The major type, the five bits behind it and the number they say or announce.
    private mutating func head() throws(WebAuthnRefusal) -> (kind: UInt8, detail: UInt8, value: UInt64) {
        guard let first = try take(1).first else { throw .malformed }
        let detail = first & 0x1F
        switch detail {
        case 0..<24: return (first >> 5, detail, UInt64(detail))
        case 24...27:
            let value = try take(1 << UInt64(detail - 24)).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return (first >> 5, detail, value)
        default: throw .malformed
        }
    }

    private mutating func take(_ count: UInt64) throws(WebAuthnRefusal) -> ArraySlice<UInt8> {
        guard count <= bytes.endIndex - position else { throw .malformed }
        defer { position += Int(count) }
        return bytes[position..<position + Int(count)]
    }
}
