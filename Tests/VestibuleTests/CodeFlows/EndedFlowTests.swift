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
}
