import Essentials

/// Shows that a link stood on a page of that session, so that no other site can make its browser
/// follow it.
struct SignedLink: Sendable {
    let key: SecretKey

    /// For the link that does `what`.
    func mark(_ what: String, _ session: Session) -> String {
        Base64URL.encode(key.mac(.csrf, message(what, session)))
    }

    func verifies(_ mark: String, _ what: String, _ session: Session) -> Bool {
        Base64URL.decode(mark).map { key.verifies($0, .csrf, message(what, session)) } ?? false
    }

    private func message(_ what: String, _ session: Session) -> [UInt8] {
        Array("link \(what) \(session.id)".utf8)
    }
}
