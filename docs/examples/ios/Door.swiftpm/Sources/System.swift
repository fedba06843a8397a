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
    let (model, site): (SignInModel, Site?)
    @State private var nonce: Secret?
    var body: some View {
        if site?.allowsPasskeys ?? false {
            PasskeyButton(
                model: model, wait: model.otherWait, ask: model.passkeyRequest, send: model.submit(_:for:))
        }
        if site?.providers.contains(where: { $0.id == "apple" && $0.isNative }) ?? false {
            SignInWithAppleButton { request in
                (request.requestedScopes, request.nonce) = ([.fullName, .email], nonce?.text)
            } onCompletion: { result in
                guard let apple = try? result.get().credential as? ASAuthorizationAppleIDCredential,
                    let nonce, let credential = ProviderCredential(apple, nonce: nonce)
                else { return }
                Task { await model.submit(credential) }
            }
            .frame(height: 44).task { nonce = await model.providerNonce() }
        }
    }
}
