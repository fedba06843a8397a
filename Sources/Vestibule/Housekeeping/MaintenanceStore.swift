package import Foundation

/// The store's part of housekeeping and of telling whether it works.
package protocol MaintenanceStore: Sendable {
    /// Removes what has expired: sessions, pending sign-ups, idle counters, old events and failed
    /// mails.
    func purge(now: Date, keepEventsSince: Date) async throws
    /// Writes something small; throws `StoreUnavailable` when the store cannot work.
    func checkWritable(now: Date) async throws
    /// Reads what login and sign-up read, each time other rows; throws `StoreUnavailable` when some
    /// cannot be read, and from then on once damage was met anywhere.
    func checkReadable(now: Date) async throws
}
