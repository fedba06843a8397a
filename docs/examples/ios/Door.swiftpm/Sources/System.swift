import AuthenticationServices
import SwiftUI
import VestibuleClient

@main struct DoorApp: App {
    private static let server = URL(string: "http://localhost:8080") ?? .homeDirectory
    @State private var door = Door(AuthClient(server: server, store: KeychainTokenStore(service: "com.example.door")))
    var body: some Scene { WindowGroup { RootView(door: door) } }
}

struct PasskeyButton: View {
    let model: FormModel
    var wait: Countdown?
    let ask: () async -> PasskeyRequest?
    let send: (PasskeyCredential, PasskeyRequest) async -> Void
    @Environment(\.authorizationController) private var controller
    var body: some View {
        submit("Use a passkey", model, wait: wait) {
            guard let request = await ask(),
                case .passkeyAssertion(let found)? = try? await controller.performRequest(request.assertionRequest)
            else { return }
            await send(PasskeyCredential(found), request)
        }
    }
}

struct SystemButtons: View {
    let (model, door): (SignInModel, Door)
    @State private var nonce: Secret?
    @State private var asked: Secret?
    @State private var uses = 0
    var body: some View {
        if door.site?.allowsPasskeys ?? false {
            PasskeyButton(
                model: model, wait: model.otherWait, ask: model.passkeyRequest, send: model.submit(_:for:))
        }
        if door.site?.providers.contains(where: { $0.id == "apple" && $0.isNative }) ?? false {
            SignInWithAppleButton { request in
                asked = nonce
                (request.requestedScopes, request.nonce) = ([.fullName, .email], asked?.text)
            } onCompletion: { result in
                (nonce, uses) = (nil, uses + 1)
                guard let apple = try? result.get().credential as? ASAuthorizationAppleIDCredential,
                    let asked, let credential = ProviderCredential(apple, nonce: asked)
                else { return }
                Task { await model.submit(credential) }
            }
            .frame(height: 44).disabled(nonce == nil).task(id: uses) { await keepNonce() }
        }
    }

    /// One sign-in takes a nonce, within ten minutes. It is asked for past the model, whose
    /// sentences are about what the person did.
    private func keepNonce() async {
        while !Task.isCancelled {
            let made = try? await door.service.providerNonce()
            if let made { nonce = made }
            try? await Task.sleep(for: .seconds(made == nil ? 5 : 540))
        }
    }
}
