import Essentials
import Foundation

extension Needs {
    /// False for a code that has expired, or that was made later than now: before a restart, by a clock that has been set
    /// back since.
    func isAlive(codeUntil expiry: Date) -> Bool {
        let left = expiry.timeIntervalSince(codeClock.now)
        return left > 0 && left <= Code.lifetime.seconds
    }

    /// Throws `Refusal.codeWrong` for a code that is not alive.
    func checkLife(ofCodeUntil expiry: Date) throws {
        guard isAlive(codeUntil: expiry) else { throw Refusal.codeWrong }
    }

    /// When a code that is made now expires.
    var codeExpiry: Date { codeClock.now.addingTimeInterval(Code.lifetime.seconds) }
}
