import SwiftUI
import VestibuleClient

// What docs/examples/ios hands to the system, by the names that its views use.

struct PasskeyButton: View {
    let model: FormModel
    var wait: Countdown?
    let ask: () async -> PasskeyRequest?
    let send: (PasskeyCredential, PasskeyRequest) async -> Void
    var body: some View { ProgressView() }
}

struct SystemButtons: View {
    let (model, door): (SignInModel, Door)
    var body: some View {
        PasskeyButton(
            model: model, wait: model.otherWait, ask: model.passkeyRequest, send: model.submit(_:for:))
    }
}
