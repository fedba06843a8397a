import HTTPTypes
import Testing

@testable import Essentials
@testable import Vestibule

/// Flows of the API that wait for a code no more.
@Suite(.timeLimit(.minutes(15)))
struct EndedFlowTests {
    private func saysSo(_ reply: Reply) -> Bool {
        reply.status == .unprocessableContent && reply.code == "otp_incorrect" && reply["flow_ended"] == "1"
            && reply["detail"] == "That code is wrong or has expired." && reply["errors.0.field"] == "code"
    }

    @Test func `a sign-up says that it has ended after an hour, not after ten minutes`() async throws {
        try await withHouse { house in
            let app = house.app()
            let flow = try await app.signUp("ada@example.com")["flow"]
            let proof = ["flow": flow, "code": "000000"]
            house.clock.advance(by: .seconds(600))
            let late = try await app.call(.post, "sign-up/verify", proof)
            #expect(late.code == "otp_incorrect" && late["flow_ended"] == nil)
            house.clock.advance(by: .seconds(3000))
            #expect(saysSo(try await app.call(.post, "sign-up/verify", proof)))
            #expect(saysSo(try await app.call(.post, "sign-up/resend", ["flow": flow])))
        }
    }

    @Test(arguments: ["ada@example.com", "nobody@example.com"])
    func `a reset says that it has ended, whether the address has an account or not`(email: String) async throws {
        try await withHouse { house in
            _ = try await house.appMember("ada@example.com")
            let app = house.app()
            let flow = try await app.call(.post, "password-reset", ["email": email])["flow"]
            let form = ["flow": flow, "code": "000000", "password": "staple horse battery"]
            for _ in 1...4 {
                let wrong = try await app.call(.post, "password-reset/verify", form)
                #expect(wrong.code == "otp_incorrect" && wrong["flow_ended"] == nil)
            }
            #expect(saysSo(try await app.call(.post, "password-reset/verify", form)))
            #expect(saysSo(try await app.call(.post, "password-reset/resend", ["flow": flow])))
            house.clock.advance(by: .seconds(3600))
            #expect(saysSo(try await app.call(.post, "password-reset/verify", form)))
        }
    }

    @Test func `a change of address of somebody else is answered like one that has ended`() async throws {
        try await withHouse { house in
            let app = try await house.appMember("ada@example.com")
            let form = ["email": "new@example.com", "current_password": App.goodPassword]
            let flow = try await app.call(.post, "user/email", form)["flow"]
            let stranger = try await house.appMember("eve@example.com")
            let proof = ["flow": flow, "code": try await house.mailbox.code(for: "new@example.com")]
            #expect(saysSo(try await stranger.call(.post, "user/email/verify", proof)))
            #expect(saysSo(try await stranger.call(.post, "user/email/resend", ["flow": flow])))
            #expect(try await app.call(.post, "user/email/verify", proof).status == .ok)
            #expect(saysSo(try await app.call(.post, "user/email/verify", proof)))
        }
    }

    /// More often than mails may be sent to an address.
    private func resends(_ path: String, _ flow: String?, by app: App) async throws {
        for _ in 1...8 { #expect(saysSo(try await app.call(.post, path, ["flow": flow]))) }
    }

    @Test func `where no try is left no code is sent, and none is counted`() async throws {
        try await withHouse([.limitVerify: "off"]) { house in
            let app = try await house.appMember("ada@example.com")
            let proof = ["code": "000000", "password": "staple horse battery"]
            @Sendable func spend(_ path: String, _ flow: String?) async throws {
                for _ in 1...5 {
                    let wrong = proof.merging(["flow": flow ?? ""]) { $1 }
                    #expect(try await app.call(.post, path, wrong).code == "otp_incorrect")
                }
            }
            let signUp = try await app.signUp("new@example.com")["flow"]
            try await spend("sign-up/verify", signUp)
            try await resends("sign-up/resend", signUp, by: app)
            #expect(try await app.signUp("new@example.com").status == .accepted)

            let forgotten = ["email": "ada@example.com"]
            let reset = try await app.call(.post, "password-reset", forgotten)["flow"]
            try await spend("password-reset/verify", reset)
            try await resends("password-reset/resend", reset, by: app)
            #expect(try await app.call(.post, "password-reset", forgotten).status == .accepted)

            let move = ["email": "next@example.com", "current_password": App.goodPassword]
            let change = try await app.call(.post, "user/email", move)["flow"]
            try await spend("user/email/verify", change)
            try await resends("user/email/resend", change, by: app)
            #expect(try await app.call(.post, "user/email", move).status == .accepted)
        }
    }
}
