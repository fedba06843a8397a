public import Foundation

/// What an authenticator answers, in the form of the web (WebAuthn level 3, section 5.1.8).
public struct PasskeyCredential: Sendable {
    private let id: Data
    private let response: [String: String]

    /// The answer to a challenge.
    public init(
        id: Data, clientDataJSON: Data, authenticatorData: Data, signature: Data, userHandle: Data?
    ) {
        self.id = id
        var response = [
            "clientDataJSON": clientDataJSON.base64URL, "authenticatorData": authenticatorData.base64URL,
            "signature": signature.base64URL,
        ]
        response["userHandle"] = userHandle?.base64URL
        self.response = response
    }

    /// A new passkey.
    public init(id: Data, clientDataJSON: Data, attestationObject: Data) {
        self.id = id
        response = [
            "clientDataJSON": clientDataJSON.base64URL, "attestationObject": attestationObject.base64URL,
        ]
    }
}

extension PasskeyCredential: Encodable {
    /// Writes binary values in base64url.
    public func encode(to encoder: any Encoder) throws {
        let body: Body = ["id": id.base64URL, "rawId": id.base64URL, "type": "public-key", "response": response]
        try body.encode(to: encoder)
    }
}
