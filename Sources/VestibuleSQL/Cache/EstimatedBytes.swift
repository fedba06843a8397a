import Essentials
import Vestibule

/// About how much memory remembered values take: what they hold, their share of half-empty tables,
/// and what an allocation adds.
private enum Overhead {
    static let allocation = 48
    static let entry = 192
}

extension SessionRecord {
    var estimatedBytes: Int {
        2 * MemoryLayout<Self>.stride + Overhead.entry + session.textBytes + account.textBytes
    }
}

extension AccountOverview {
    var estimatedBytes: Int {
        Overhead.entry + bytes(sessions, \.textBytes) + bytes(events, \.textBytes) + bytes(consents, \.textBytes)
            + bytes(identities, \.textBytes) + bytes(Array(enteredApplications)) { bytes($0.value, \.textBytes) }
    }

    private func bytes<Element>(_ elements: [Element], _ text: (Element) -> Int) -> Int {
        Overhead.allocation + elements.reduce(0) { $0 + MemoryLayout<Element>.stride + text($1) }
    }
}

extension Session {
    fileprivate var textBytes: Int { heapBytes(id.rawValue, accountID.rawValue, userAgent) + address.bytes }
}

extension Account {
    fileprivate var textBytes: Int {
        heapBytes(id.rawValue, email.typed, email.key, email.ascii, displayName, locale, termsVersion ?? "")
            + groups.reduce(groups.isEmpty ? 0 : Overhead.allocation) {
                $0 + MemoryLayout<String>.stride + heapBytes($1)
            }
    }
}

extension SecurityEvent {
    fileprivate var textBytes: Int { heapBytes(id, accountID?.rawValue ?? "", userAgent) + address.bytes }
}

extension Consent {
    fileprivate var textBytes: Int {
        heapBytes(id, version, locale) + address.bytes + textDigest.count + Overhead.allocation
    }
}

extension Identity {
    fileprivate var textBytes: Int { heapBytes(id, accountID.rawValue, provider, issuer, subject, email ?? "") }
}

extension EnteredApplication {
    fileprivate var textBytes: Int { heapBytes(name) }
}

extension IPAddress? {
    fileprivate var bytes: Int { self == nil ? 0 : 16 + Overhead.allocation }
}

/// Up to 15 bytes of a text stand in the value itself.
private func heapBytes(_ texts: String...) -> Int {
    texts.reduce(0) { $0 + ($1.utf8.count > 15 ? $1.utf8.count + Overhead.allocation : 0) }
}
