import Foundation
import TestSupport

/// Responses of others, in `Fixtures/`.
enum Fixture {
    /// The test vectors of the standard.
    struct Standard: Decodable {
        let id: String
        let origin: String
        let vectors: [Vector]
    }

    struct Vector: Decodable {
        struct Registration: Decodable {
            let challenge: String
            let credential_id: String
            let aaguid: String
            let clientDataJSON: String
            let attestationObject: String
        }

        struct Authentication: Decodable {
            let challenge: String
            let authenticatorData: String
            let clientDataJSON: String
            let signature: String
        }

        let name: String
        let registration: Registration
        let authentication: Authentication
    }

    /// What `make_responses.py` made.
    struct Recorded: Decodable {
        let pairs: [Pair]
    }

    struct Pair: Decodable {
        let algorithm: Int
        let registrationChallenge: String
        let registration: Message
        let assertionChallenge: String
        let assertion: Message
    }

    static func standard() throws -> Standard { try read("w3c.json") }
    static func pairs() throws -> [Pair] { try (read("responses.json") as Recorded).pairs }

    private static func read<Value: Decodable>(_ name: String) throws -> Value {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try JSONDecoder().decode(Value.self, from: Data(contentsOf: folder.appending(path: "Fixtures/\(name)")))
    }
}
