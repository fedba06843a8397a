/// A data item of CBOR (RFC 8949) of the kinds that WebAuthn uses.
enum CBORItem: Hashable {
    case unsigned(UInt64)
    /// -1 minus this number.
    case negative(UInt64)
    case bytes([UInt8])
    case text(String)
    case array([CBORItem])
    case map([CBORItem: CBORItem])
    /// False, true, null or undefined, by its number.
    case simple(UInt64)
    /// Its bits.
    case float(UInt64)

    /// What a map has under that name.
    subscript(name: String) -> CBORItem? { self[.text(name)] }

    /// What a map has under that number.
    subscript(number: Int) -> CBORItem? {
        self[number < 0 ? .negative(UInt64(-1 - number)) : .unsigned(UInt64(number))]
    }

    private subscript(key: CBORItem) -> CBORItem? {
        if case .map(let members) = self { members[key] } else { nil }
    }

    var bytes: [UInt8]? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }

    /// Returns nil unless it is an integer that fits.
    var integer: Int? {
        switch self {
        case .unsigned(let number): Int(exactly: number)
        case .negative(let number): Int(exactly: number).map { -1 - $0 }
        default: nil
        }
    }

    var isKey: Bool {
        switch self {
        case .unsigned, .negative, .text: true
        default: false
        }
    }
}
