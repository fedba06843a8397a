/// Shows that a link that adds a way to sign in stood on a page of that session, so that no other site can start it.
struct LinkMark: Sendable {
    let key: SecretKey

    func mark(_ provider: String, _ session: Session) -> String {
        Base64URL.encode(key.mac(.csrf, message(provider, session)))
    }

    func verifies(_ mark: String, _ provider: String, _ session: Session) -> Bool {
        Base64URL.decode(mark).map { key.verifies($0, .csrf, message(provider, session)) } ?? false
    }

    private func message(_ provider: String, _ session: Session) -> [UInt8] {
        Array("link \(provider) \(session.id)".utf8)
    }
}
