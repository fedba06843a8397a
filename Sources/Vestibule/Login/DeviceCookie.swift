/// A browser that has signed in before: a random id and, for each address it signed in to, a MAC over both.
///
/// Names no account in clear and opens nothing; it only chooses the limit. After the idea of device cookies (OWASP).
package struct DeviceCookie: Sendable, Equatable {
    /// More than one person may share a browser.
    private static let addressesAtMost = 5

    package let id: String
    private let marks: [String]

    /// A browser's first sign-in.
    package init(from random: Randomness) {
        id = random.id()
        marks = []
    }

    /// What a browser sent; `nil` when it is not of the form. The marks are checked when an address is asked for.
    package init?(presented: String) {
        let parts = presented.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard (2...Self.addressesAtMost + 1).contains(parts.count), presented.utf8.count <= 512,
            parts.allSatisfy({ Base64URL.decode($0)?.count == 16 })
        else { return nil }
        id = parts[0]
        marks = Array(parts.dropFirst())
    }

    private init(id: String, marks: [String]) {
        self.id = id
        self.marks = marks
    }

    package var text: String { ([id] + marks).joined(separator: ".") }

    /// Whether this browser has signed in to that address before.
    package func knows(_ email: EmailAddress, key: SecretKey) -> Bool {
        let message = Array("\(id) \(email.key)".utf8)
        return marks.contains { mark in
            guard let presented = Base64URL.decode(mark) else { return false }
            return key.verifies(presented, .device, message)
        }
    }

    /// The cookie after that address is gone; `nil` when it was the last one.
    package func removing(_ email: EmailAddress, key: SecretKey) -> DeviceCookie? {
        let mark = Base64URL.encode(key.mac(.device, Array("\(id) \(email.key)".utf8)).prefix(16))
        let others = marks.filter { $0 != mark }
        return others.isEmpty ? nil : DeviceCookie(id: id, marks: others)
    }

    /// The cookie after signing in to that address.
    package func adding(_ email: EmailAddress, key: SecretKey) -> DeviceCookie {
        let mark = Base64URL.encode(key.mac(.device, Array("\(id) \(email.key)".utf8)).prefix(16))
        let others = marks.filter { $0 != mark }.suffix(Self.addressesAtMost - 1)
        return DeviceCookie(id: id, marks: others + [mark])
    }
}
