package import Foundation

/// All the product keeps. Each feature declares its slice next to its rule; an engine implements them all.
package protocol Store: StoreLifecycle, MaintenanceStore, CodeStore, SignupStore, LoginStore, KnownBrowserStore,
    PasswordResetStore, SessionStore, AccountStore, ProfileStore, EmailChangeStore, EmailUndoStore, IdentityStore,
    SignInMethodStore, NativeSignInStore, AppleNotificationStore, NewSignInStore, AccountExportStore,
    AccountDeletionStore, TermsStore, AuditStore, OutboxStore, RateLimitStore, AdministrationStore, ImportStore
{}

/// The store's part of housekeeping and of telling whether it works.
package protocol MaintenanceStore: Sendable {
    /// Removes what has expired: sessions, pending sign-ups, idle counters, old events and failed mails.
    func purge(now: Date, keepEventsSince: Date) async throws
    /// Writes something small; throws `StoreUnavailable` when the store cannot work.
    func checkWritable(now: Date) async throws
    /// Reads what login and sign-up read, each time other rows; throws `StoreUnavailable` when some cannot be read, and from
    /// then on once damage was met anywhere.
    func checkReadable(now: Date) async throws
}
