/// An object of JSON. Without those of its values that are nil.
package struct JSONObject: Encodable, ExpressibleByDictionaryLiteral {
    private var values: [(key: String, value: (any Encodable)?)]

    package init(dictionaryLiteral elements: (String, (any Encodable)?)...) {
        values = elements.map { ($0, $1) }
    }

    package subscript(_ key: String) -> (any Encodable)? {
        get { values.first { $0.key == key }?.value }
        set { values.append((key, newValue)) }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingName.self)
        for case (let key, let value?) in values {
            try container.encode(value, forKey: CodingName(stringValue: key))
        }
    }

    private struct CodingName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) { nil }
    }
}
