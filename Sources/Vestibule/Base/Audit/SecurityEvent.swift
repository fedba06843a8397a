import Crypto
package import Essentials
package import Foundation
import Logging

/// Something that matters for the safety of an account, kept for its owner and the operator.
package struct SecurityEvent: Sendable, Equatable {
    /// What happened. Features declare theirs as values beside their rules.
    package struct Kind: Sendable, Hashable {
        /// Stored and listed; names the sentence `activity.…` of the locales.
        package let name: String
        /// The log line (OWASP Logging Vocabulary).
        let logName: String
        let logLevel: Logger.Level

        init(_ name: String, log: String, _ level: Logger.Level = .info) {
            (self.name, logName, logLevel) = (name, log, level)
        }

        /// A kind as it is stored. Only new events are logged.
        package init(stored name: String) {
            self.init(name, log: name)
        }

        package static func == (left: Kind, right: Kind) -> Bool {
            left.name.isExactly(right.name)
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(name)
        }
    }

    package let id: String
    package let kind: Kind
    /// `nil` when no account is behind the address that was tried, or when it is about many.
    package let accountID: AccountID?
    /// Of a sum, when it happened last.
    package let at: Date
    /// Nil for what no visitor did, and for sums without an account.
    package let address: IPAddress?
    package let userAgent: String
    /// How often it happened: more than once for a sum.
    package let count: Int

    package init(
        id: String, kind: Kind, accountID: AccountID?, at: Date, address: IPAddress?, userAgent: String, count: Int = 1
    ) {
        self.count = count
        self.id = id
        self.kind = kind
        self.accountID = accountID
        self.at = at
        self.address = address
        self.userAgent = userAgent
    }
}

extension SecurityEvent {
    /// Failures of one address that are kept one by one in an hour; the others become one sum a
    /// kind and hour.
    package static let failuresKeptAnHour = 10
    /// Sign-ins, sign-outs and the like of one account and kind that housekeeping keeps one by one
    /// in an hour; the others become one sum, as a program may cause thousands.
    package static let visitsKeptAnHour = 20

    /// The same event, of that account.
    package func of(_ accountID: AccountID) -> SecurityEvent {
        SecurityEvent(id: id, kind: kind, accountID: accountID, at: at, address: address, userAgent: userAgent)
    }
}

extension SecurityEvent {
    /// Stands in place of a browser's name where the operator did it with a command.
    package static let operatorAgent = "vestibule command"
}

/// Makes the operator's events, and gives the rules of those commands randomness and time.
package struct Operator: Sendable {
    let random: Randomness
    let now: @Sendable () -> Date

    package init(random: Randomness = .system, now: @escaping @Sendable () -> Date = { Date() }) {
        (self.random, self.now) = (random, now)
    }

    /// What the operator did with a command.
    package func event(_ kind: SecurityEvent.Kind, _ accountID: AccountID? = nil) -> SecurityEvent {
        SecurityEvent(
            id: random.id(), kind: kind, accountID: accountID, at: now(), address: nil,
            userAgent: SecurityEvent.operatorAgent)
    }
}

/// How strangers' failures are kept. For an address without an account what they write is bounded
/// by the time, not by how many there are; for one with an account the same statements are run, so
/// that neither work nor time tells which it is.
package enum FailureCount {
    /// Milliseconds of the time that failures are summed up for.
    package static let hour: Int64 = 3_600_000

    /// What the failures in a row are counted under. Addresses without an account share 4,096
    /// counters, which decide nothing.
    package static func key(_ key: [UInt8], hasAccount: Bool) -> [UInt8] {
        hasAccount ? key : key.prefix(2).enumerated().map { $0.offset == 0 ? $0.element : $0.element & 0x0F }
    }

    /// The key that wrong second factors of an account are counted under, apart from wrong
    /// passwords. A right one resets the count.
    package static func factorKey(_ accountID: AccountID) -> [UInt8] { key(of: "factors", accountID) }

    /// The key that something of an account is counted under by itself. 16 bytes.
    package static func key(of what: String, _ accountID: AccountID) -> [UInt8] {
        Array(SHA256.hash(data: Array("\(what) \(accountID)".utf8)).prefix(16))
    }

    /// The owner is mailed each time that so many were wrong in a row.
    package static let factorFailuresTold = 5

    /// Everything of one kind and hour (since 1970) is one event: of an account with the last
    /// network address, of all others without.
    package static func sum(_ event: SecurityEvent) -> SecurityEvent {
        let isOfAccount = event.accountID != nil
        return SecurityEvent(
            id: "sum.\(event.at.ms / hour).\(event.kind.name).\(event.accountID?.rawValue ?? "")", kind: event.kind,
            accountID: event.accountID, at: event.at, address: isOfAccount ? event.address : nil,
            userAgent: isOfAccount ? event.userAgent : "")
    }
}
