import Bytes

/// A stored hash cut at its dollar signs, every piece of which is read in its one canonical
/// spelling.
struct HashText {
    /// What stands before, between and after the dollar signs.
    let fields: [Substring]
    let whole: String
    private static let maximumBytes = 512

    /// Returns nil unless it is printable ASCII without spaces, of at most 512 bytes.
    init?(_ stored: String) {
        guard (1...Self.maximumBytes).contains(stored.utf8.count),
            stored.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        whole = stored
        fields = stored.parts(by: "$")
    }

    /// What names the form: `$2b` of modular-crypt and PHC texts, `pbkdf2_sha256` of Django's.
    var scheme: String {
        guard let first = fields.first, first.isEmpty else { return String(fields[0]) }
        return "$" + fields.dropFirst().prefix(1).joined()
    }

    /// A number without sign and leading zeros.
    static func number(_ text: Substring) -> Int? {
        Int(text).flatMap { $0 >= 0 && text.isExactly("\($0)") ? $0 : nil }
    }

    /// The numbers of `n=14,r=8`, when these are the names, in this order.
    static func numbers(_ field: Substring, _ names: String...) -> [Int]? {
        let pairs = field.parts(by: ",")
        guard pairs.count == names.count else { return nil }
        let numbers = zip(pairs, names).compactMap { pair, name in
            pair.after("\(name)=").flatMap(number)
        }
        return numbers.count == names.count ? numbers : nil
    }
}
