import VestibuleSQL

extension SQLType {
    /// Its number in PostgreSQL's catalogue.
    var postgresType: UInt32 {
        switch self {
        case .number: 20
        case .flag: 16
        case .text: 25
        case .bytes: 17
        case .array(.number): 1016
        case .array(.flag): 1000
        case .array(.text): 1009
        case .array: 1001
        }
    }
}

extension SQLValue {
    /// In the binary form of its type; `nil` is NULL.
    var postgresBytes: [UInt8]? {
        switch self {
        case .null: nil
        case .number(let number): number.bigEndianBytes
        case .flag(let flag): [flag ? 1 : 0]
        case .text(let text): Array(Self.kept(text).utf8)
        case .bytes(let bytes): bytes
        case .array(let type, let values): Self.postgresBytes(of: values, type)
        }
    }

    /// The binary form of an array of one dimension (`array_send` of PostgreSQL).
    private static func postgresBytes(of values: [SQLValue], _ type: SQLType) -> [UInt8] {
        let elements = values.map(\.postgresBytes)
        var bytes = Int32(values.isEmpty ? 0 : 1).bigEndianBytes
        bytes += Int32(elements.contains(where: { $0 == nil }) ? 1 : 0).bigEndianBytes
        bytes += type.postgresType.bigEndianBytes
        guard !values.isEmpty else { return bytes }
        bytes += Int32(values.count).bigEndianBytes + Int32(1).bigEndianBytes
        for element in elements {
            bytes += Int32(element?.count ?? -1).bigEndianBytes + (element ?? [])
        }
        return bytes
    }
}

extension FixedWidthInteger {
    fileprivate var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian, Array.init) }
}
