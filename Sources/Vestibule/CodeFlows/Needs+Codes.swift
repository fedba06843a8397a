import Essentials
import Foundation

extension Needs {
    /// A code to be mailed: a long one for a browser that is not known once too many wrong ones were typed. Whether the
    /// address has an account makes no difference to its owner's mail.
    package func newCode(_ limit: ShortCodeLimit, isKnown: Bool, failuresInARow: Int = 0) async throws -> Code {
        let site = try await store.wrongCodes(now: now())
        let isShort = isKnown || limit.admits(site: site, inARow: failuresInARow)
        return Code(from: random, length: isShort ? .short : .long)
    }

    /// What a typed code is compared with and counted by. `accountID` is of the one the wrong code is told to, where it is known.
    func attempt(
        _ code: Code, _ limit: ShortCodeLimit, flow: TokenDigest, emailKey: String, isKnown: Bool,
        accountID: String?, visitor: Visitor
    ) -> CodeAttempt {
        CodeAttempt(
            digests: code.digests(flow: flow, key: secretKey), failuresKey: failuresKey(emailKey),
            failure: audit.event(.codeFailed, accountID: accountID, visitor: visitor),
            limit: isKnown || code.isLong ? nil : limit
        )
    }
}
