import Foundation
import Testing
import VestibuleClient

/// Whole lives of accounts, over the stub and over a real server.
@Suite(.timeLimit(.minutes(5))) struct LifeTests {
    @Test(arguments: Place.allCases) func `a code from the mail makes an account`(_ place: Place) async throws {
        let (house, email) = (try await place.house(), newAddress())
        let app = house.app()
        let asked = try await app.signUp(name: "Ada Lovelace", email: email, password: .good, acceptsTerms: true)
        guard case .codeWanted(let flow) = asked else { throw Unexpected(asked) }
        let wrong = try await refusal { try await app.verifySignUp(flow: flow, code: "000000") }
        #expect(wrong.code == .otpIncorrect)
        #expect(wrong.sentence == "That code is wrong or has expired.")
        #expect(wrong.fields.map(\.field) == ["code"])
        let code = try await house.code(mailedTo: email)
        let outcome = try await app.verifySignUp(flow: flow, code: code)
        guard case .signedIn(let user) = outcome else { throw Unexpected(outcome) }
        #expect((user.name, user.email, user.isEmailVerified) == ("Ada Lovelace", email, true))
        let twice = try await refusal { try await app.verifySignUp(flow: flow, code: code) }
        #expect(twice.code == .otpIncorrect)
    }

    @Test(arguments: Place.allCases) func `another code can be asked for`(_ place: Place) async throws {
        let (house, email) = (try await place.house(), newAddress())
        let app = house.app()
        let asked = try await app.signUp(name: "Ada", email: email, password: .good, acceptsTerms: true)
        guard case .codeWanted(let flow) = asked else { throw Unexpected(asked) }
        let first = try await house.code(mailedTo: email)
        try await app.resendSignUpCode(flow: flow)
        let second = try await house.code(mailedTo: email, number: 2)
        let old = try await refusal { try await app.verifySignUp(flow: flow, code: first) }
        #expect(old.code == .otpIncorrect)
        guard case .signedIn = try await app.verifySignUp(flow: flow, code: second) else { throw Unexpected(second) }
    }

    @Test(arguments: Place.allCases) func `five wrong codes end a sign-up`(_ place: Place) async throws {
        let (house, email) = (try await place.house(), newAddress())
        let app = house.app()
        let asked = try await app.signUp(name: "Ada", email: email, password: .good, acceptsTerms: true)
        guard case .codeWanted(let flow) = asked else { throw Unexpected(asked) }
        for number in 1...5 {
            let wrong = try await refusal { try await app.verifySignUp(flow: flow, code: "000000") }
            #expect((wrong.code, wrong.isFlowEnded) == (.otpIncorrect, number == 5))
        }
        let ended = try await refusal { try await app.verifySignUp(flow: flow, code: "000000") }
        #expect((ended.code, ended.isFlowEnded) == (.rateLimited, true))
        #expect(ended.sentence == "Too many attempts. Start over to get a new code.")
    }

    @Test(arguments: Place.allCases) func `every field that is wrong is named`(_ place: Place) async throws {
        let app = try await place.house().app()
        let wrong = try await refusal {
            try await app.signUp(name: "", email: "nobody", password: "short", acceptsTerms: false)
        }
        #expect(wrong.code == .validationFailed)
        #expect(
            wrong.fields.map { "\($0.field) \($0.code): \($0.detail)" } == [
                "name missing: Enter your name.",
                "email invalid: Enter an email address like name@example.com.",
                "password too_short: Use at least 8 characters.",
                "terms missing: Accept the terms to continue.",
            ])
    }

    @Test(arguments: Place.allCases) func `an address has one account`(_ place: Place) async throws {
        let (house, email) = (try await place.house(), newAddress())
        _ = try await house.newcomer(email)
        let app = house.app()
        let asked = try await app.signUp(name: "Eve", email: email, password: .good, acceptsTerms: true)
        guard case .codeWanted(let flow) = asked else { throw Unexpected(asked) }
        let code = try await house.code(mailedTo: email, number: 2)
        let taken = try await refusal { try await app.verifySignUp(flow: flow, code: code) }
        #expect((taken.code, taken.fields.map(\.code)) == (.duplicateEmail, ["taken"]))
    }

    @Test(arguments: Place.allCases) func `one sentence for a wrong password and address`(_ place: Place) async throws {
        let (house, email) = (try await place.house(), newAddress())
        let app = try await house.newcomer(email)
        try await app.signOut()
        let wrongs = [
            try await refusal { try await app.signIn(email: email, password: .other) },
            try await refusal { try await app.signIn(email: newAddress(), password: .good) },
        ]
        #expect(Set(wrongs.map(\.sentence)) == ["Invalid email or password"])
        #expect(wrongs.allSatisfy { $0.code == .invalidCredentials && $0.fields.isEmpty })
        let empty = try await refusal { try await app.signIn(email: "", password: "") }
        #expect(empty.fields.map(\.field) == ["email", "password"])
        guard case .signedIn(let user) = try await app.signIn(email: email, password: .good) else {
            throw Unexpected(email)
        }
        #expect(user.email == email)
    }

    @Test(arguments: Place.allCases) func `a code of the app, then a recovery code, is asked for`(
        _ place: Place
    ) async throws {
        let (house, email) = (try await place.house(), newAddress())
        let app = try await house.newcomer(email)
        #expect(try await app.factors() == Factors())
        let setup = try await app.beginAuthenticator(currentPassword: nil)
        let wrong = try await refusal {
            try await app.confirmAuthenticator(setup, code: "000000", currentPassword: nil)
        }
        #expect(wrong.code == .otpIncorrect)
        try await app.confirmAuthenticator(setup, code: try house.appCode(setup, later: 0), currentPassword: nil)
        let codes = try await app.makeRecoveryCodes(currentPassword: nil)
        #expect(Set(codes).count == 10)
        try await app.signOut()

        let step = try await secondStep(app, email)
        #expect(step.methods == [.totp, .recoveryCode])
        let typo = try await refusal { try await app.finishSignIn(step, with: .appCode("000000")) }
        #expect((typo.code, typo.fields.map(\.field)) == (.otpIncorrect, ["code"]))
        let next = try house.appCode(setup, later: 1)
        guard case .signedIn = try await app.finishSignIn(step, with: .appCode(next)) else { throw Unexpected(step) }
        let over = try await refusal { try await app.finishSignIn(step, with: .appCode(next)) }
        #expect((over.code, over.isFlowEnded) == (.otpIncorrect, true))
        #expect(over.sentence == "This sign-in has ended. Please sign in again.")
        try await app.signOut()

        let again = try await secondStep(app, email)
        guard case .signedIn = try await app.finishSignIn(again, with: .recoveryCode(codes[3])) else {
            throw Unexpected(again)
        }
        #expect(try await app.factors().recoveryCodes?.left == 9)
        try await app.signOut()
        let last = try await secondStep(app, email)
        let used = try await refusal { try await app.finishSignIn(last, with: .recoveryCode(codes[3])) }
        #expect(used.sentence == "That code is wrong or has been used. Enter another one.")
        for _ in 1...4 {
            _ = try await refusal { try await app.finishSignIn(last, with: .recoveryCode("aaaaa-aaaaa")) }
        }
        let ended = try await refusal { try await app.finishSignIn(last, with: .recoveryCode(codes[4])) }
        #expect((ended.isFlowEnded, ended.sentence) == (true, "Too many attempts. Please sign in again."))
    }

    private func secondStep(_ app: any AuthService, _ email: String) async throws -> SecondStep {
        let outcome = try await app.signIn(email: email, password: .good)
        guard case .secondFactorWanted(let step) = outcome else { throw Unexpected(outcome) }
        return step
    }

    @Test(arguments: Place.allCases) func `a forgotten password is replaced`(_ place: Place) async throws {
        let (house, email) = (try await place.house(), newAddress())
        let app = try await house.newcomer(email)
        let flow = try await app.requestReset(email: email)
        _ = try await house.code(mailedTo: email, number: 2)
        try await app.resendResetCode(flow: flow)
        let code = try await house.code(mailedTo: email, number: 3)
        let short = try await refusal { try await app.reset(flow: flow, code: code, password: "short") }
        #expect(short.fields.map(\.code) == ["too_short"])
        try await app.reset(flow: flow, code: code, password: .other)
        #expect(try await app.restore() == .ended)
        _ = try await refusal { try await app.signIn(email: email, password: .good) }
        guard case .signedIn = try await app.signIn(email: email, password: .other) else { throw Unexpected(email) }
    }

    @Test(arguments: Place.allCases) func `name, password and address are changed`(_ place: Place) async throws {
        let (house, email, new) = (try await place.house(), newAddress(), newAddress())
        let app = try await house.newcomer(email)
        #expect(try await app.rename(to: "Countess of Lovelace").name == "Countess of Lovelace")
        let wrong = try await refusal { try await app.changePassword(to: .other, currentPassword: .other) }
        #expect((wrong.code, wrong.fields.map(\.field)) == (.invalidCredentials, ["current_password"]))
        try await app.changePassword(to: .other, currentPassword: .good)
        let flow = try await app.requestEmailChange(to: new, currentPassword: .other)
        _ = try await house.code(mailedTo: new)
        try await app.resendEmailChangeCode(flow: flow)
        let code = try await house.code(mailedTo: new, number: 2)
        let user = try await app.changeEmail(flow: flow, code: code)
        #expect((user.email, user.name) == (new, "Countess of Lovelace"))
        #expect(try await app.restore() == .signedIn(user))
        #expect(try await app.user() == user)
    }

    @Test(arguments: Place.allCases) func `an account is exported and erased`(_ place: Place) async throws {
        let (house, email) = (try await place.house(), newAddress())
        let app = try await house.newcomer(email)
        let export = try await app.export(currentPassword: nil)
        #expect(String(decoding: export, as: UTF8.self).contains(email))
        let wrong = try await refusal { try await app.deleteAccount(currentPassword: .other) }
        #expect(wrong.sentence == "That's not your current password.")
        try await app.deleteAccount(currentPassword: .good)
        #expect(try await app.restore() == .signedOut)
        let gone = try await refusal { try await app.signIn(email: email, password: .good) }
        #expect(gone.code == .invalidCredentials)
    }

    @Test(arguments: Place.allCases) func `the welcome view learns what there is`(_ place: Place) async throws {
        let app = try await place.house().app()
        let site = try await app.site()
        #expect(site.allowsSignUp && site.passwordMinLength == 8)
        #expect(site.termsURL.path == "/terms" && site.tagline.utf8.starts(with: "Sign in to continue".utf8))
        let terms = try await app.terms()
        #expect((terms.version, terms.language) == (site.termsVersion, "en"))
        #expect(terms.text.utf8.starts(with: "Terms\n\n".utf8))
        let weak = try await app.strength(of: "abc", email: "", name: "")
        #expect((weak.isAcceptable, weak.hint) == (false, "Use at least 8 characters."))
        let strong = try await app.strength(of: .good, email: "", name: "")
        #expect((strong.score, strong.label, strong.isAcceptable, strong.hint) == (4, "Strong", true, nil))
    }
}
