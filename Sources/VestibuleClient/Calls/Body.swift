/// The body of a call. Without those of its values that are nil.
struct Body: Encodable, Sendable, ExpressibleByDictionaryLiteral {
    private let members: [(name: String, value: (any Encodable & Sendable)?)]

    init(dictionaryLiteral elements: (String, (any Encodable & Sendable)?)...) {
        members = elements.map { ($0, $1) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for case (let name, let value?) in members {
            try container.encode(value, forKey: Name(stringValue: name))
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) { nil }
    }
}
