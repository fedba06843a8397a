package import Foundation

/// The store's part of housekeeping and of telling whether it works.
package protocol MaintenanceStore: Sendable {
    /// Removes what has expired: sessions, pending flows, idle counters, old events and failed mails.
    /// Rows that change meanwhile stay.
    func purge(_ bounds: PurgeBounds) async throws
    /// Writes something small; throws `StoreUnavailable` when the store cannot work.
    func checkWritable(now: Date) async throws
    /// Reads what login and sign-up read, each time other rows; throws `StoreUnavailable` when some
    /// cannot be read, and from then on once damage was met anywhere.
    func checkReadable(now: Date) async throws
}
