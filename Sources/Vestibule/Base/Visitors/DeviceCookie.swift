import Essentials
import Foundation

/// A known browser: a random id and, for each address it signed in to, reset the password of or
/// took back, when that was and a MAC over all.
///
/// Names no account in clear and opens nothing; it only chooses the limit. After the idea of device
/// cookies (OWASP).
struct DeviceCookie: Sendable, Equatable {
    /// More than one person may share a browser.
    private static let addressesAtMost = 5
    private static let dateBytes = 8
    private static let macBytes = 16

    let id: String
    private let marks: [String]

    init(from random: Randomness) {
        id = random.id()
        marks = []
    }

    /// What a browser sent; `nil` when it is not of the form. The marks are checked when an address
    /// is asked for.
    init?(presented: String) {
        let parts = presented.parts(by: ".").map(String.init)
        guard (2...Self.addressesAtMost + 1).contains(parts.count), presented.utf8.count <= 512,
            Base64URL.decode(parts[0])?.count == 16,
            parts.dropFirst().allSatisfy({ Base64URL.decode($0)?.count == Self.dateBytes + Self.macBytes })
        else { return nil }
        id = parts[0]
        marks = Array(parts.dropFirst())
    }

    private init(id: String, marks: [String]) {
        self.id = id
        self.marks = marks
    }

    /// Names this browser where what it is trusted for is kept.
    var digest: TokenDigest { TokenDigest(of: id) }

    var text: String { ([id] + marks).joined(separator: ".") }

    /// When this browser signed in to that address last; `nil` when it never has.
    func lastSignIn(to email: EmailAddress, key: SecretKey) -> Date? {
        marks.lazy.compactMap { date(of: $0, email, key) }.first
    }

    /// The cookie after that address is gone; `nil` when it was the last one.
    func removing(_ email: EmailAddress, key: SecretKey) -> DeviceCookie? {
        let others = marks.filter { date(of: $0, email, key) == nil }
        return others.isEmpty ? nil : DeviceCookie(id: id, marks: others)
    }

    /// The cookie after signing in to that address.
    func adding(_ email: EmailAddress, at now: Date, key: SecretKey) -> DeviceCookie {
        let others = marks.filter { date(of: $0, email, key) == nil }.suffix(Self.addressesAtMost - 1)
        let milliseconds = UInt64(max(0, now.timeIntervalSince1970) * 1000)
        let when = (1...Self.dateBytes).map { UInt8(truncatingIfNeeded: milliseconds >> (64 - 8 * $0)) }
        let mac = key.mac(.device, message(when, email)).prefix(Self.macBytes)
        return DeviceCookie(id: id, marks: others + [Base64URL.encode(when + mac)])
    }

    /// `nil` for the mark of another address, and for one that was never given.
    private func date(of mark: String, _ email: EmailAddress, _ key: SecretKey) -> Date? {
        guard let bytes = Base64URL.decode(mark), bytes.count == Self.dateBytes + Self.macBytes else { return nil }
        let date = Array(bytes.prefix(Self.dateBytes))
        guard key.verifies(Array(bytes.dropFirst(Self.dateBytes)), .device, message(date, email)) else { return nil }
        return Date(timeIntervalSince1970: Double(date.reduce(0) { $0 << 8 | UInt64($1) }) / 1000)
    }

    private func message(_ date: [UInt8], _ email: EmailAddress) -> [UInt8] {
        Array("\(id) \(email.key) ".utf8) + date
    }
}
