import Foundation
import VestibuleClient

guard let server = URL(string: ask("Server")) else { exit(64) }
let client = AuthClient(server: server, store: FileTokenStore(file: .homeDirectory.appending(path: ".greet-token")))
do {
    var state = try await client.restore()
    while state.user == nil {
        try await enter()
        state = try await client.restore()
    }
    print("Hello, \(state.user?.name ?? "")!")
} catch {
    print(error.localizedDescription)
    exit(1)
}

func ask(_ question: String) -> String {
    print("\(question): ", terminator: "")
    return readLine() ?? ""
}

func enter() async throws {
    let (email, password) = (ask("Email address"), Secret(ask("Password")))
    let name = ask("Name (nothing if you have an account)")
    var outcome =
        name.isEmpty
        ? try await client.signIn(email: email, password: password)
        : try await client.signUp(name: name, email: email, password: password, acceptsTerms: true)
    while true {
        switch outcome {
        case .signedIn: return
        case .termsWanted: return try await client.acceptTerms()
        case .codeWanted(let flow):
            outcome = try await client.verifySignUp(flow: flow, code: Secret(ask("Code from the mail")))
        case .secondFactorWanted(let step):
            outcome = try await client.finishSignIn(step, with: .appCode(Secret(ask("Code from the app"))))
        }
    }
}
