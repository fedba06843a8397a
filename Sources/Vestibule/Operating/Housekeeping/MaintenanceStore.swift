/// The store's part of housekeeping.
package protocol MaintenanceStore: Sendable {
    /// Removes what has expired: sessions, pending flows, idle counters, old events and failed
    /// mails. Rows that change meanwhile stay.
    func purge(_ bounds: PurgeBounds) async throws
}
