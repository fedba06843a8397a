import Foundation

@testable import Essentials
@testable import PasswordHashing
@testable import Vestibule

/// A store whose every operation fails: with a fault, or as unavailable.
struct BrokenStore: Store {
    var error: any Error = Broken()

    struct Broken: Error {}

    func addPendingSignup(_ pending: PendingSignup, replaces: TokenDigest?, mails: AddressMails) throws { throw error }
    func pendingSignup(flow: TokenDigest, now: Date) throws -> PendingSignup? { throw error }
    func completeSignup(
        flow: TokenDigest, attempt: CodeAttempt, new: NewAccount, now: Date
    ) throws -> CodeOutcome { throw error }
    func addAccount(_ new: NewAccount) throws -> Bool { throw error }
    func addPendingEmailChange(
        _ pending: PendingEmailChange, by session: PresentedSession, mail: QueuedMail, event: SecurityEvent
    ) throws { throw error }
    func pendingEmailChange(flow: TokenDigest, now: Date) throws -> PendingEmailChange? { throw error }
    func completeEmailChange(
        flow: TokenDigest, attempt: CodeAttempt, completion: EmailChangeCompletion, now: Date
    ) throws -> CodeOutcome { throw error }
    func emailUndo(_ token: TokenDigest, now: Date) throws -> EmailUndoLink? { throw error }
    func addPendingEmailUndo(_ pending: PendingEmailUndo, replaces: TokenDigest?, mail: QueuedMail) throws {
        throw error
    }
    func pendingEmailUndo(flow: TokenDigest, now: Date) throws -> PendingEmailUndo? { throw error }
    func undoEmailChange(
        flow: TokenDigest, attempt: CodeAttempt, restoration: EmailRestoration, now: Date
    ) throws -> EmailUndoOutcome? { throw error }
    func dueSignInSummaries(now: Date) throws -> [SignInSummary] { throw error }
    func queueSignInSummaries(_ mails: [SignInSummaryMail]) throws -> Int { throw error }
    func rename(to displayName: String, by session: PresentedSession, event: SecurityEvent) throws { throw error }
    func setLocale(_ locale: String, by session: PresentedSession, event: SecurityEvent) throws { throw error }
    func export(accountID: AccountID, now: Date) throws -> AccountExport? { throw error }
    func noteExport(by session: PresentedSession, event: SecurityEvent) throws { throw error }
    func renewSession(_ renewal: SessionRenewal, event: SecurityEvent) throws { throw error }
    func addresses(accountID: AccountID) throws -> Set<EmailAddress> { throw error }
    func erase(_ erasure: AccountErasure) throws -> Bool { throw error }
    func addPendingReset(_ pending: PendingReset, replaces: TokenDigest?, mail: QueuedMail) throws { throw error }
    func pendingReset(flow: TokenDigest, now: Date) throws -> PendingReset? { throw error }
    func proveReset(
        flow: TokenDigest, attempt: CodeAttempt, next: TokenDigest, until: Date, now: Date
    ) throws -> Bool { throw error }
    func redeemReset(
        flow: TokenDigest, attempt: CodeAttempt?, redemption: PasswordResetRedemption, now: Date
    ) throws -> AccountID? { throw error }
    func loginRecord(emailKey: String, failuresKey: [UInt8]) throws -> LoginRecord { throw error }
    func loginFailed(failuresKey: [UInt8], event: SecurityEvent) throws { throw error }
    func loginSucceeded(_ signIn: ProvedSignIn, session: NewSession) throws -> Bool { throw error }
    func wrongCodes(now: Date) throws -> Int { throw error }
    func noteNode(_ node: Node, now: Date) throws { throw error }
    func removeNode(id: String) throws { throw error }
    func nodes() throws -> [NodeRecord] { throw error }
    func reading<Value>(_ work: (any TableReader) throws -> Value) throws -> Value { throw error }
    func writing<Value>(_ work: (any TableWriter) throws -> Value) throws -> Value { throw error }
    func renewCode(_ renewal: CodeRenewal, of kind: CodeFlowKind, now: Date) throws -> Bool { throw error }
    func browsersKnownSince(emailKey: String) throws -> Date? { throw error }
    func session(_ digest: TokenDigest) throws -> SessionRecord? { throw error }
    func rememberedSession(_ digest: TokenDigest) -> SessionRecord? { nil }
    func addTicket(_ ticket: NewTicket) throws { throw error }
    func ticketSession(_ ticket: TokenDigest) throws -> TokenDigest? { throw error }
    func redeem(_ redemption: TicketRedemption) throws -> RedeemedTicket? { throw error }
    func applicationSession(_ digest: TokenDigest) throws -> ApplicationSession? { throw error }
    func rememberedApplicationSession(_ digest: TokenDigest) -> ApplicationSession? { nil }
    func touchSession(id: SessionID, at now: Date) throws { throw error }
    func endSession(
        id: SessionID, accountID: AccountID, by session: PresentedSession?, event: SecurityEvent
    ) throws -> Bool { throw error }
    func endOtherSessions(
        than session: PresentedSession, renewal: SessionRenewal, event: SecurityEvent
    ) throws -> Bool { throw error }
    func changePassword(
        _ hash: PasswordHash, from proved: PasswordHash, accountID: AccountID, renewal: SessionRenewal,
        ways: ReviewedWays, notice: QueuedMail, event: SecurityEvent
    ) throws { throw error }
    func hasPassword(accountID: AccountID) throws -> Bool { throw error }
    func accountOverview(accountID: AccountID, events: Int, now: Date) throws -> AccountOverview { throw error }
    func accept(_ consent: Consent, by session: PresentedSession, event: SecurityEvent) throws { throw error }
    func keepSubscriptions(_ subscriptions: Set<SignalSubscription>) throws { throw error }
    func setSubscriptions(_ subscriptions: Set<SignalSubscription>) throws -> Set<SignalSubscription> { throw error }
    func subscriptions() throws -> Set<SignalSubscription> { throw error }
    func takeDueSignal(for target: String, now: Date, lease: MailLease) throws -> Signal? { throw error }
    func signalSent(id: String) throws { throw error }
    func signalFailed(id: String, node: String, reason: String, retryAt: Date?) throws { throw error }
    func signals(limit: Int) throws -> [SignalEntry] { throw error }
    func retrySignals(ids: [String]?, now: Date) throws -> Int { throw error }
    func signalBacklogs() throws -> [SignalBacklog] { throw error }
    func takeDueMail(among choice: MailChoice, now: Date, lease: MailLease) throws -> QueuedMail? { throw error }
    func releaseMails(startedBy node: Node, now: Date) throws { throw error }
    func mailSent(id: String) throws { throw error }
    func mailFailed(id: String, node: String, reason: String, retryAt: Date?) throws { throw error }
    func mailPutBack(id: String, node: String, reason: String, retryAt: Date) throws { throw error }
    func untriedMailDue() throws -> Date? { throw error }
    func take(_ claims: [LimitClaim], now: Date) throws -> LimitRefusal? { throw error }
    func refusedUntil(_ claims: [LimitClaim], now: Date) throws -> Date? { throw error }
    func giveBack(_ claims: [LimitClaim]) throws { throw error }
    func use(_ once: Once) throws -> Bool { throw error }
    func identity(issuer: String, subject: String) throws -> IdentityRecord? { throw error }
    func addAccount(_ new: NewAccount, identity: LinkedIdentity, once: Once?) throws -> IdentitySignup { throw error }
    func link(
        _ new: LinkedIdentity, by session: PresentedSession, once: Once?, _ change: FactorChange
    ) throws -> Bool { throw error }
    func unlink(
        id: String, by session: PresentedSession, inUse: WaysInUse, _ change: FactorChange
    ) throws
        -> IdentityRemoval
    {
        throw error
    }
    func identities(accountID: AccountID) throws -> [Identity] { throw error }
    func revokeIdentity(id: String, once: Once, notice: QueuedMail, event: SecurityEvent) throws { throw error }
    func note(_ event: SecurityEvent, once: Once) throws { throw error }
    func keepRefreshToken(_ sealed: [UInt8], issuer: String, subject: String) throws -> Bool { throw error }
    func linkedIdentities(emailKey: String) throws -> [LinkedIdentity] { throw error }
    func linkedIdentities(accountID: AccountID) throws -> [LinkedIdentity] { throw error }
    func accounts(in group: GroupName?, after emailKey: String?, limit: Int) throws -> [AccountSummary] { throw error }
    func account(_ name: AccountName) throws -> AccountSummary? { throw error }
    func formerHolder(of email: EmailAddress) throws -> FormerHolder? { throw error }
    func addInvitedAccount(_ account: Account, reset: MailedReset) throws -> Bool { throw error }
    func addMailedReset(_ reset: MailedReset, accountID: AccountID) throws -> Bool { throw error }
    func disableAccount(id: AccountID, event: SecurityEvent) throws -> Bool { throw error }
    func enableAccount(id: AccountID, event: SecurityEvent) throws -> Bool { throw error }
    func verifyAccount(id: AccountID, event: SecurityEvent) throws -> Bool { throw error }
    func sessions(accountID: AccountID, now: Date) throws -> [Session] { throw error }
    func endSessions(accountID: AccountID, event: SecurityEvent) throws -> Int { throw error }
    func outboxEntries(
        to recipients: [[UInt8]]?, after position: OutboxPosition?, onlyFailed: Bool, limit: Int
    ) throws -> [OutboxEntry] { throw error }
    func outboxEntry(id: String) throws -> OutboxEntry? { throw error }
    func retryMails(ids: [String], now: Date) throws -> Int { throw error }
    func latestEvents(accountID: AccountID?, kind: String?, limit: Int) throws -> [AuditEntry] { throw error }
    func events(since: Date, accountID: AccountID?) throws -> [AuditEntry] { throw error }
    func changeGroups(_ change: GroupChange, event: SecurityEvent) throws -> Bool { throw error }
    func applicationConsents(accountID: AccountID) throws -> [ApplicationConsent] { throw error }
    func enteredClients(accountID: AccountID) throws -> [String] { throw error }
    func giveConsent(_ consent: ApplicationConsent, by session: PresentedSession, event: SecurityEvent) throws -> Bool {
        throw error
    }
    func endConsent(to application: String, by session: PresentedSession, event: SecurityEvent) throws -> Bool {
        throw error
    }
    func clientSecrets(of application: String) throws -> [ClientSecret] { throw error }
    func addClientSecret(_ secret: ClientSecret, event: SecurityEvent) throws -> Bool { throw error }
    func revokeClientSecret(id: String, of application: String, event: SecurityEvent) throws -> Bool { throw error }
    func addCode(_ code: NewCode, needsConsent: Bool) throws { throw error }
    func spendCode(_ redemption: CodeRedemption) throws -> TokenExchange { throw error }
    func rotate(_ rotation: RefreshRotation) throws -> TokenExchange { throw error }
    func accessGrant(_ digest: TokenDigest, at now: Date) throws -> TokenGrant? { throw error }
    func revokeToken(access: TokenDigest?, family: TokenDigest?, of application: String) throws { throw error }
    func signingKeys(_ algorithm: SigningAlgorithm) throws -> [StoredSigningKey] { throw error }
    func addFirstSigningKey(_ key: StoredSigningKey) throws -> Bool { throw error }
    func addNextSigningKey(_ key: StoredSigningKey, event: SecurityEvent) throws -> Bool { throw error }
    func replaceSigningKeys(with key: StoredSigningKey, event: SecurityEvent) throws { throw error }
    func reseal(_ key: StoredSigningKey, as sealed: [UInt8]) throws { throw error }
    func addMachineToken(_ token: MachineToken, digest: TokenDigest, event: SecurityEvent) throws { throw error }
    func machineToken(_ digest: TokenDigest) throws -> MachineToken? { throw error }
    func machineTokens(application: String?) throws -> [MachineToken] { throw error }
    func touchMachineToken(id: String, at now: Date) throws { throw error }
    func revokeMachineToken(id: String, event: SecurityEvent) throws -> Bool { throw error }
    func factors(accountID: AccountID) throws -> AccountFactors { throw error }
    func factorUndoExpiry(accountID: AccountID, emailKey: String, now: Date) throws -> Date? { throw error }
    func account(_ accountID: AccountID) throws -> Account? { throw error }
    func signInFacts(accountID: AccountID) throws -> SignInFacts { throw error }
    func accountsWithSecondFactor(onlyPasskeys: Bool) throws -> Int { throw error }
    func passkey(credentialID: [UInt8]) throws -> PasskeyRecord? { throw error }
    func addPasskey(
        _ passkey: Passkey, userHandle: [UInt8], once: [Once], _ change: FactorChange
    ) throws -> Bool { throw error }
    func passkeys(emailKey: String) throws -> [Passkey] { throw error }
    func renamePasskey(id: String, by session: PresentedSession, name: String) throws -> Bool { throw error }
    func takeBackFactors(by link: FactorUndoLink, passkeyID: String?, _ change: FactorChange) throws -> Bool {
        throw error
    }
    func useForSecondStep(passkeyID: String, _ change: FactorChange) throws -> Bool { throw error }
    func removePasskey(id: String, inUse: WaysInUse, _ change: FactorChange) throws -> PasskeyRemoval {
        throw error
    }
    func setKey(_ key: FactorKey, codes: [[UInt8]], _ change: FactorChange) throws -> Bool { throw error }
    func removeKey(_ kind: SecondFactor, _ change: FactorChange) throws -> Bool { throw error }
    func sealedFactors(
        _ kind: SecondFactor, notUnder keyID: [UInt8], after accountID: AccountID?
    ) throws -> [SealedFactor] { throw error }
    func reseal(_ renewed: [ResealedFactor]) throws { throw error }
    func factorsSealed(notUnder keyID: [UInt8]) throws -> Int { throw error }
    func prove(
        _ use: FactorUse, _ renewal: SessionRenewal, accountID: AccountID, events: [SecurityEvent], mails: [QueuedMail]
    ) throws { throw error }
    func trustedBrowsers(accountID: AccountID, now: Date) throws -> [TrustedBrowser] { throw error }
    func endTrust(in browser: TokenDigest, by session: PresentedSession, event: SecurityEvent) throws -> Bool {
        throw error
    }
    func trustedUntil(browser: TokenDigest, accountID: AccountID) throws -> Date? { throw error }
    func beginSecondStep(_ login: PendingLogin, of signIn: ProvedSignIn) throws { throw error }
    func pendingLogin(_ flow: TokenDigest, now: Date) throws -> PendingLoginRecord? { throw error }
    func tryPendingLogin(_ flow: TokenDigest, claims: [LimitClaim], now: Date) throws -> Int? { throw error }
    func secondStepFailed(
        failuresKey: [UInt8], event: SecurityEvent, notice: QueuedMail, claims: [LimitClaim]
    ) throws -> Bool { throw error }
    func hold(_ form: HeldForm) throws { throw error }
    func takeHeldForm(_ digest: TokenDigest, sessionID: SessionID, now: Date) throws -> [UInt8]? { throw error }
    func askFactorRemoval(
        accountID: AccountID, at now: Date, due: Date, notice: QueuedMail, event: SecurityEvent
    ) throws -> Bool { throw error }
    func dueFactorRemovals(now: Date) throws -> [DueFactorRemoval] { throw error }
    func removeFactors(
        accountID: AccountID, due: Date?, notice: QueuedMail, event: SecurityEvent
    ) throws -> Bool { throw error }
    func beginImport() throws { throw error }
    func stage(_ accounts: [StagedAccount]) throws -> [RefusedLine] { throw error }
    func completeImport(skipTaken: Bool, event: SecurityEvent) throws -> ImportCompletion { throw error }
    func endImport() throws { throw error }
    func schemaAge() throws -> SchemaAge { throw error }
    func isBlank() throws -> Bool { throw error }
    func databaseID() throws -> String? { throw error }
    func checkMayMigrate() throws { throw error }
    func migrationForecast() throws -> MigrationForecast { throw error }
    func migrate() throws -> Int { throw error }
    func backUp(to path: String) throws -> BackupFacts { throw error }
    func close() throws { throw error }
    func purge(_ bounds: PurgeBounds) throws { throw error }
    func checkWritable(now: Date) throws { throw error }
    func checkReadable(now: Date) throws { throw error }
    func checkConnections() throws { throw error }
    func serverTime() throws -> Date? { throw error }
}
