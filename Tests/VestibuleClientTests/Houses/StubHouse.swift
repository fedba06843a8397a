import VestibuleClient
import VestibuleClientStub

struct StubHouse: House {
    let stub = AuthServiceStub()

    func app() -> any AuthService { stub }

    func code(mailedTo email: String, number: Int) async throws -> Secret {
        guard let code = await stub.mailedCode(to: email) else { throw Unexpected("no code for \(email)") }
        return code
    }

    func appCode(_ setup: AuthenticatorSetup, later steps: Int) -> Secret { AuthServiceStub.appCode }
}
