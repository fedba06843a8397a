import Foundation

/// One line of an import as written: a JSON object with these keys and no others.
struct ImportLine: Decodable {
    let address: String?
    let name: String?
    let verified: Bool?
    let hash: String?

    private static let decoder = JSONDecoder()

    /// Reads a line. Throws why it is none.
    init(_ bytes: [UInt8]) throws(ImportRefusal) {
        // A JSON text may not hold NUL, and with it might be taken for UTF-16.
        guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else { throw .notUTF8 }
        do {
            self = try Self.decoder.decode(ImportLine.self, from: Data(bytes))
        } catch let refusal as ImportRefusal {
            throw refusal
        } catch DecodingError.typeMismatch(_, let context) {
            guard let key = context.codingPath.last?.stringValue else { throw .notJSON }
            throw .wrongType(key: key, wanted: key == "verified" ? "true or false" : "a text")
        } catch {
            throw .notJSON
        }
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        if let unknown = values.allKeys.map(\.stringValue).filter({ !Self.keys.contains($0) }).min() {
            throw ImportRefusal.unknownKey(unknown)
        }
        address = try values.decodeIfPresent(String.self, forKey: Key(stringValue: "address"))
        name = try values.decodeIfPresent(String.self, forKey: Key(stringValue: "name"))
        verified = try values.decodeIfPresent(Bool.self, forKey: Key(stringValue: "verified"))
        hash = try values.decodeIfPresent(String.self, forKey: Key(stringValue: "hash"))
    }

    private static let keys: Set = ["address", "name", "verified", "hash"]

    /// Any key, so that unknown ones are seen.
    private struct Key: CodingKey {
        let stringValue: String
        let intValue: Int? = nil

        init(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) {
            nil
        }
    }
}
