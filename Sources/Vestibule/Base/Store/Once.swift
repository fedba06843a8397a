package import Essentials
package import Foundation

/// What may be used a single time, and until when it would be worth anything.
package struct Once: Sendable {
    package let digest: TokenDigest
    package let until: Date

    package init(digest: TokenDigest, until: Date) {
        self.digest = digest
        self.until = until
    }
}

/// It was used before, so nothing was written.
package struct UsedBefore: Error {
    package init() {}
}
