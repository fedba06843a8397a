package import Foundation

/// The store's part of health.
package protocol HealthStore: Sendable {
    /// Writes something small; throws `StoreUnavailable` when the store cannot work.
    func checkWritable(now: Date) async throws
    /// Reads what login and sign-up read, each time other rows; throws `StoreUnavailable` when some
    /// cannot be read, and from then on once damage was met anywhere.
    func checkReadable(now: Date) async throws
    /// By the clock of the database's server; nil without a server.
    func serverTime() async throws -> Date?
}
