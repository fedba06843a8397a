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
    private final class Store: SignInStore {
        private let inner: any SignInStore
        private let hasHappened = Atomic(false)
        private let happens: @Sendable () async throws -> Void

        init(_ inner: any SignInStore, _ happens: @escaping @Sendable () async throws -> Void) {
            (self.inner, self.happens) = (inner, happens)
        }

        func signInFacts(accountID: AccountID) async throws -> SignInFacts {
            try await inner.signInFacts(accountID: accountID)
        }

        func loginSucceeded(_ signIn: ProvedSignIn, session: NewSession) async throws -> Bool {
            if !hasHappened.exchange(true, ordering: .relaxed) { try await happens() }
            return try await inner.loginSucceeded(signIn, session: session)
        }
    }

    private func login(_ house: House, _ store: Store) -> IdentityLogin {
        let services = house.services
        let steps = SecondSteps(
            store: services.store, browsers: services.browsers, audit: services.audit,
            policy: FactorPolicy(asksSecondFactor: true, takesPasskeys: true), asksProof: { _ in false },
            now: services.now)
        let signIns = SignIns(
            store: store, secondSteps: steps, sessions: Sessions(services: services), browsers: services.browsers,
            newSignIns: services.newSignIns, audit: services.audit, returnTo: services.returnTo,
            verificationRequired: true)
        return IdentityLogin(store: services.store, signIns: signIns, key: services.secretKey)
    }

    /// What the provider vouches for of the person that has signed up.
    private func vouched(_ house: House) async throws -> PendingIdentity {
        let linked = try await house.services.store.linkedIdentities(emailKey: "ada@example.com")
        let identity = try #require(linked.first?.identity)
        return PendingIdentity(
            id: "answer", provider: identity.provider, issuer: identity.issuer, subject: identity.subject,
            email: identity.email, isEmailVerified: true, name: nil, grant: nil, returnTo: nil, remember: nil,
            provedAt: nil, expiresAt: house.services.now() + 600)
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
