import Foundation
import TestSupport

@testable import Essentials
@testable import PasswordHashing
@testable import Vestibule

/// A sign-in as a rule proves it, and the session it starts.
struct StoredLogin: Sendable {
    let signIn: ProvedSignIn
    let session: NewSession

    init(
        session: NewSession, failuresKey: [UInt8]?, limitedBy: [UInt8]? = nil, returned: [LimitClaim] = [],
        proved: PasswordHash? = nil, rehash: PasswordHash? = nil, events: [SecurityEvent] = [],
        notice: NewSignInNotice? = nil, use: FactorUse? = nil, secondStep: SecondStepEnd? = nil,
        absent: FactorPresence = [], hasRoom: Bool = false, identity: IdentityUse? = nil
    ) {
        var signIn = ProvedSignIn(
            account: Make.account(session.accountID).account, by: session.session.proof.by)
        (signIn.failuresKey, signIn.returned, signIn.proved, signIn.rehash) = (failuresKey, returned, proved, rehash)
        (signIn.events, signIn.notice, signIn.use, signIn.secondStep) = (events, notice, use, secondStep)
        (signIn.absent, signIn.hasRoom, signIn.identity) = (absent, hasRoom, identity)
        signIn.limitedBy = limitedBy
        (self.signIn, self.session) = (signIn, session)
    }
}

extension SignInStore {
    @discardableResult
    func loginSucceeded(_ login: StoredLogin) async throws -> Bool {
        try await loginSucceeded(login.signIn, session: login.session)
    }
}

extension PendingLoginStore {
    /// After a first step with that hash or that identity.
    func beginSecondStep(
        _ login: PendingLogin, proved: PasswordHash? = nil, identity: IdentityUse? = nil, limitedBy: [UInt8]? = nil
    ) async throws {
        var signIn = ProvedSignIn(account: Make.account(login.accountID).account, by: login.provedBy)
        (signIn.proved, signIn.identity, signIn.limitedBy) = (proved, identity, limitedBy)
        try await beginSecondStep(login, of: signIn)
    }
}
