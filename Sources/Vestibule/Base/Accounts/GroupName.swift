import Essentials

/// The name of a group: 1 to 64 ASCII letters, digits, dashes, underscores and dots. Case counts.
package struct GroupName: Sendable, Hashable {
    package let text: String

    /// Returns nil if it cannot be a name.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard (1...64).contains(bytes.count),
            bytes.allSatisfy({ $0.isASCIILetterOrDigit || "-_.".utf8.contains($0) })
        else { return nil }
        self.text = text
    }
}
