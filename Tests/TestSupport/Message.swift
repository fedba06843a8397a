import Foundation

/// What a browser sends of a passkey, open to change.
package struct Message: Codable, Sendable {
    package struct Response: Codable, Sendable {
        package var clientDataJSON: String
        package var attestationObject: String?
        package var transports: [String]?
        package var authenticatorData: String?
        package var signature: String?
        package var userHandle: String?

        package init(
            clientDataJSON: String, attestationObject: String? = nil, transports: [String]? = nil,
            authenticatorData: String? = nil, signature: String? = nil, userHandle: String? = nil
        ) {
            self.clientDataJSON = clientDataJSON
            self.attestationObject = attestationObject
            self.transports = transports
            self.authenticatorData = authenticatorData
            self.signature = signature
            self.userHandle = userHandle
        }
    }

    package var id: String
    package var rawId: String
    package var type = "public-key"
    package var response: Response

    package init(id: String, rawId: String, response: Response) {
        (self.id, self.rawId, self.response) = (id, rawId, response)
    }

    package var json: [UInt8] {
        get throws { [UInt8](try JSONEncoder().encode(self)) }
    }
}
