import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// What happens between the two looks that a sign-in through a provider takes at the account's
/// factors.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct LateFactorTests {
    /// Lets something happen before the first session that it stores.
    private final class Store: IdentityStore {
        private let inner: any IdentityStore
        private let hasHappened = Atomic(false)
        private let happens: @Sendable () async throws -> Void

        init(_ inner: any IdentityStore, _ happens: @escaping @Sendable () async throws -> Void) {
            (self.inner, self.happens) = (inner, happens)
        }

        func signIn(
            identityID: String, refreshToken: [UInt8]?, once: Once?, _ success: LoginSuccess
        ) async throws -> Bool {
            if !hasHappened.exchange(true, ordering: .relaxed) { try await happens() }
            return try await inner.signIn(identityID: identityID, refreshToken: refreshToken, once: once, success)
        }

        func use(_ once: Once) async throws -> Bool { try await inner.use(once) }

        func identity(issuer: String, subject: String) async throws -> IdentityRecord? {
            try await inner.identity(issuer: issuer, subject: subject)
        }

        func addAccount(_ new: NewAccount, identity: NewIdentity, once: Once?) async throws -> IdentitySignup {
            try await inner.addAccount(new, identity: identity, once: once)
        }

        func link(
            _ new: NewIdentity, by session: PresentedSession, once: Once?, notice: QueuedMail, event: SecurityEvent
        ) async throws -> Bool {
            try await inner.link(new, by: session, once: once, notice: notice, event: event)
        }

        func linkedIdentities(emailKey: String) async throws -> [LinkedIdentity] {
            try await inner.linkedIdentities(emailKey: emailKey)
        }

        func identityUsed(identityID: String, refreshToken: [UInt8]?, at now: Date) async throws {
            try await inner.identityUsed(identityID: identityID, refreshToken: refreshToken, at: now)
        }

        func keepRefreshToken(_ sealed: [UInt8], issuer: String, subject: String) async throws -> Bool {
            try await inner.keepRefreshToken(sealed, issuer: issuer, subject: subject)
        }

        func refreshTokens(accountID: AccountID) async throws -> [SealedGrant] {
            try await inner.refreshTokens(accountID: accountID)
        }
    }

    private func login(_ house: House, _ store: Store) -> IdentityLogin {
        let services = house.services
        let terms = Terms(
            version: services.settings.termsVersion, locales: [], text: { _ in "" }, random: services.random)
        let signIns = SignIns(
            sessions: Sessions(services: services), terms: terms, browsers: services.browsers,
            newSignIns: services.newSignIns, mailer: services.mailer, audit: services.audit, key: services.secretKey)
        let steps = SecondSteps(
            store: services.store, browsers: services.browsers, random: services.random, isOn: true,
            takesPasskeys: true, now: services.now)
        return IdentityLogin(
            store: store, browsers: services.browsers, signIns: signIns, secondSteps: steps, key: services.secretKey,
            verificationRequired: true)
    }

    /// What the provider vouches for of the person that has signed up.
    private func vouched(_ house: House) async throws -> PendingIdentity {
        let linked = try await house.services.store.linkedIdentities(emailKey: "ada@example.com")
        let identity = try #require(linked.first?.identity)
        return PendingIdentity(
            id: "answer", provider: identity.provider, issuer: identity.issuer, subject: identity.subject,
            email: identity.email, isEmailVerified: true, name: nil, grant: nil, returnTo: nil, remember: nil,
            expiresAt: house.services.now() + 600)
    }

    @Test func `a factor that is added meanwhile is asked for, and the answer of the provider is used once`()
        async throws
    {
        try await withProviders { house, _ in
            let owner = house.visitor()
            try await owner.signUpThroughExample()
            let late = Store(house.services.store) {
                var key = Authenticator(number: 1)
                let page = try await owner.add(&key)
                #expect(page.status == .seeOther)
            }
            let login = login(house, late)
            let answer = try await vouched(house)
            let outcome = try await login.signIn(answer, .unknown, remembered: false)
            guard case .secondStep(let step) = outcome else {
                Issue.record("no second step: \(String(describing: outcome))")
                return
            }
            #expect(step.methods.contains(.passkey))
            await #expect(throws: ProviderFault.self) {
                _ = try await login.signIn(answer, .unknown, remembered: false)
            }
        }
    }

    @Test func `an account that is locked meanwhile is not opened`() async throws {
        try await withProviders { house, _ in
            try await house.visitor().signUpThroughExample()
            let store = house.services.store
            let account = try #require(
                try await store.loginRecord(emailKey: "ada@example.com", failuresKey: []).account)
            let late = Store(store) {
                let isDisabled = try await Administration(services: house.services).disable(account)
                #expect(isDisabled)
            }
            let login = login(house, late)
            let answer = try await vouched(house)
            await #expect(throws: ProviderFault.self) {
                _ = try await login.signIn(answer, .unknown, remembered: false)
            }
        }
    }
}
