/// `PublicKeyCredentialDescriptorJSON` (WebAuthn section 5.1.8).
struct CredentialDescriptor: Encodable {
    let type = "public-key"
    let id: String

    init(_ id: CredentialID) {
        self.id = id.base64URL
    }
}
