import Foundation
import HTTPTypes
import Hummingbird
import Logging
import PasswordHashing

/// What was thrown, if it is an expected no: for a form several, of which the first gives status
/// and headers.
struct RefusedRequest {
    let refusals: [Refusal]
    /// Seconds.
    private static let storeRetry = 5

    /// `nil` for what is not an expected no, which is a fault.
    init?(_ error: any Error) {
        switch error {
        case let refusals as Refusals: self.refusals = refusals.all
        case let refusal as Refusal: refusals = [refusal]
        case let busy as HashingBusy: refusals = [.unavailable(retryAfterSeconds: busy.retryAfterSeconds)]
        case is StoreUnavailable, is FactorUnreadable: refusals = [.unavailable(retryAfterSeconds: Self.storeRetry)]
        default: return nil
        }
    }

    /// Of pages.
    var status: HTTPResponse.Status { refusals.first?.answer.page ?? .unprocessableContent }

    /// `Retry-After` (RFC 9110 section 10.2.3): when the same request may be sent again. A flow
    /// without attempts is over by the time its code is.
    func headers(now: Date) -> HTTPFields {
        switch refusals.first {
        case .limited(let until, _): [.retryAfter: "\(max(1, Int(until.timeIntervalSince(now).rounded(.up))))"]
        case .flowSpent, .secondStepSpent: [.retryAfter: "\(Code.lifetime.components.seconds)"]
        case .unavailable(let seconds): [.retryAfter: "\(seconds)"]
        case .signOutFailed: [.retryAfter: "\(Self.storeRetry)"]
        default: [:]
        }
    }

    /// What the log should know of it.
    static func note(_ error: any Error, _ request: Request, _ context: some VisitorContext, _ audit: Audit) {
        switch error {
        case Refusal.limited(_, let limit):
            audit.log(.limited, visitor: context.visitor, path: request.uri.path, ["limit": limit])
        case Refusal.flowSpent, Refusal.secondStepSpent:
            audit.log(.limited, visitor: context.visitor, path: request.uri.path)
        case let fault as StoreUnavailable: audit.log(fault, context.logger)
        case let fault as FactorUnreadable:
            context.logger.error(
                "second factor cannot be read", metadata: ["event": "factor_unreadable", "error": "\(fault)"])
        case is HashingBusy: audit.log(.hashingBusy, visitor: context.visitor, path: request.uri.path)
        default: break
        }
    }
}
