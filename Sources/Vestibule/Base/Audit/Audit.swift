import AsyncAlgorithms
import Essentials
import Foundation
import Logging
import ServiceLifecycle

/// Makes security events and writes the log lines that go with them (OWASP Logging Vocabulary).
struct Audit: Sendable {
    let logger: Logger
    let random: Randomness
    let now: @Sendable () -> Date
    private let sampler = WarningSampler()
    let outage = StoreOutage()
    private static let storeUnavailable = "store_unavailable"

    func event(
        _ kind: SecurityEvent.Kind, id: String? = nil, accountID: AccountID?, visitor: Visitor
    ) -> SecurityEvent {
        SecurityEvent(
            id: id ?? random.id(), kind: kind, accountID: accountID, at: now(), address: visitor.client.ipAddress,
            userAgent: visitor.userAgent
        )
    }

    func log(_ event: SecurityEvent, visitor: Visitor, _ more: Logger.Metadata = [:]) {
        let facts: Logger.Metadata = [
            "kind": "\(event.kind.name)", "account": "\(event.accountID?.rawValue ?? "unknown")",
            "request_id": "\(visitor.requestID)",
        ]
        write(
            event.kind.logLevel, event.kind.logName, from: visitor.client.description, facts.merging(more) { $1 })
    }

    /// A log line for what is not stored, such as a refused request. Of `more`, what is empty is
    /// left out.
    func log(_ notice: SecurityNotice, visitor: Visitor, path: String, _ more: [String: String] = [:]) {
        let facts = more.merging(["request_id": visitor.requestID, "request_uri": path]) { $1 }
        let metadata = facts.filter { !$0.value.isEmpty }.mapValues {
            "\($0.showable(atMost: 200))" as Logger.MetadataValue
        }
        write(.warning, notice.rawValue, from: visitor.client.description, metadata)
    }

    /// Writes a line by its OWASP name. Of warnings, which strangers cause at will, the first of a
    /// minute; the others are counted. Returns whether it was written.
    @discardableResult
    func write(
        _ level: Logger.Level, _ name: String, from source: String, _ metadata: Logger.Metadata
    ) -> Bool {
        summarize()
        guard level != .warning || sampler.admits(name, from: source, at: now()) else { return false }
        let always: Logger.Metadata = ["event": "\(name)", "source_ip": "\(source)"]
        logger.log(level: level, "\(name)", metadata: metadata.merging(always) { $1 })
        return true
    }

    /// A request met a store that cannot work. At most one line a minute for each error text: while
    /// the store is down, every request would write one.
    func log(_ fault: StoreUnavailable, _ logger: Logger) {
        summarize()
        outage.note(fault, at: now())
        guard sampler.admits(Self.storeUnavailable, from: fault.description, at: now(), atMost: 1) else { return }
        logger.error(
            "store unavailable", metadata: ["event": "\(Self.storeUnavailable)", "error": "\(fault.description)"])
    }

    /// A worker met an error. That the server stops is none.
    func log(_ message: Logger.Message, _ error: any Error, _ logger: Logger) {
        switch error {
        case is CancellationError: break
        case let fault as StoreUnavailable: log(fault, logger)
        default: logger.error(message, metadata: ["error": "\(error)"])
        }
    }

    /// The store was just written to: one line if requests met another one before.
    func noteStoreWorks() {
        // What was written may need no more room.
        guard !outage.isDiskFull(at: now()), let seconds = outage.end(at: now()) else { return }
        logger.notice("store available again", metadata: ["event": "store_available", "after": "\(seconds)"])
    }

    /// One line for each name of which warnings were left out in a minute that is over; at the end
    /// of the server, in the one that is not.
    func summarize(atEnd: Bool = false) {
        for (name, leftOut) in atEnd ? sampler.leftOut() : sampler.finish(at: now()) {
            logger.warning(
                "\(name): \(leftOut) more of these in a minute", metadata: ["event": "\(name)", "count": "\(leftOut)"])
        }
    }
}

/// Refused requests worth a line in the log, by their OWASP names.
enum SecurityNotice: String, Sendable {
    case crossSite = "malicious_csrf"
    case limited = "excess_rate_limit_exceeded"
    case invalidInput = "input_validation_fail"
    case hashingBusy = "hashing_queue_full"
    /// Of an application that signs in by OpenID Connect.
    case clientRefused = "client_refused"
}

/// Sums up every minute, and at the end, which warnings were left out of the log.
struct LogSummaries: Service, CustomStringConvertible {
    let audit: Audit
    var description: String { "LogSummaries" }

    func run() async {
        await cancelWhenGracefulShutdown {
            for await _ in AsyncTimerSequence(interval: .seconds(60), clock: .continuous) { audit.summarize() }
        }
        audit.summarize(atEnd: true)
    }
}
