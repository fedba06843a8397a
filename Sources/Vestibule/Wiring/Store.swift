/// All the product keeps. Each feature declares its slice next to its rule; an engine implements
/// them all.
package protocol Store: StoreLifecycle, MaintenanceStore, HealthStore, CodeStore, CredentialStore, SignupStore,
    SignInStore, KnownBrowserStore, PasswordResetStore, SessionStore, AccountStore, PasswordChangeStore, ProfileStore,
    EmailChangeStore, EmailUndoStore, HandOverStore, IdentityStore, SignInMethodStore,
    AppleNotificationStore,
    NewSignInStore, AccountExportStore, AccountDeletionStore, TermsStore, OutboxStore, SignalStore, SignalQueueStore,
    RateLimitStore,
    AdministrationStore, ImportStore, GroupStore, SigningKeyStore, MachineTokenStore, FactorStore, PendingLoginStore,
    ApplicationConsentStore, ClientSecretStore, AuthorizationStore, ClientTokenStore, HeldFormStore,
    TrustedBrowserStore, FactorRemovalStore, FactorSealingStore, NodeStore, CopyStore
{}
