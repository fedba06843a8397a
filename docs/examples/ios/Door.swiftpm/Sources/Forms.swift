import SwiftUI
import VestibuleClient

struct SignInView: View {
    let door: Door
    var body: some View {
        @Bindable var model = door.forms.signIn
        if case .secondStep(let step) = model.step {
            SecondStepView(model: step) { model.startOver() }
        } else if case .newPerson = model.step {
            column("Create your account", model) {
                field("Name", $model.name, .name, .name, model)
                terms($model.acceptsTerms, door.site, model)
                submit("Create account", model, wait: model.otherWait) { await model.submitNewPerson() }
            }
        } else {
            column("Welcome back", model) {
                field("Email address", $model.email, .email, .username, model)
                field("Password", $model.password, .password, .password, model)
                submit("Sign in", model) { await model.submit() }
                SystemButtons(model: model, door: door)
                NavigationLink("Forgot password?") { ResetView(door: door) }
                NavigationLink("Create an account") { SignUpView(door: door) }
            }
        }
    }
}

private let labels: [SecondFactorMethod: String] = [
    .passkey: "Use a passkey", .totp: "Code from your authenticator app", .recoveryCode: "Recovery code",
]

struct SecondStepView: View {
    @Bindable var model: SecondStepModel
    let startOver: @MainActor () -> Void
    var body: some View {
        column("Confirm it's you", model) {
            if model.method == .passkey {
                PasskeyButton(model: model, ask: model.passkeyRequest, send: model.submit(_:for:))
            } else if !model.isOver {
                field(labels[model.method] ?? "", $model.code, .code, .oneTimeCode, model)
                submit("Continue", model) { await model.submit() }
            }
            ForEach(model.others, id: \.self) { other in Button(labels[other] ?? "") { model.use(other) } }
            Button("Start over", action: startOver)
        }
    }
}

struct SignUpView: View {
    let door: Door
    var body: some View {
        @Bindable var model = door.forms.signUp
        column("Create your account", model) {
            switch model.step {
            case .form:
                field("Name", $model.name, .name, .name, model)
                field("Email address", $model.email, .email, .username, model)
                newPassword($model.password, $model.confirmation, model.strength, model)
                terms($model.acceptsTerms, door.site, model)
                submit("Create account", model) { await model.submit() }
            case .code:
                field("Code", $model.code, .code, .oneTimeCode, model)
                submit("Confirm", model) { await model.submitCode() }
                submit("Send again", model, wait: model.resendWait) { await model.resend() }
                Button("Start over") { model.startOver() }
            case .exists: NavigationLink("Sign in") { SignInView(door: door) }
            case .over: Button("Start over") { model.startOver() }
            case .done: ProgressView()
            }
        }
    }
}

struct ResetView: View {
    let door: Door
    var body: some View {
        @Bindable var model = door.forms.reset
        column("Forgot your password?", model) {
            switch model.step {
            case .form:
                field("Email address", $model.email, .email, .username, model)
                submit("Send code", model) { await model.submit() }
            case .choose:
                field("Code", $model.code, .code, .oneTimeCode, model)
                newPassword($model.password, $model.confirmation, model.strength, model)
                submit("Save password", model) { await model.submitPassword() }
                submit("Send again", model, wait: model.resendWait) { await model.resend() }
            case .over: Button("Start over") { model.startOver() }
            case .done: NavigationLink("Sign in") { SignInView(door: door) }
            }
        }
    }
}

struct AccountView: View {
    @State var model: AccountModel
    var body: some View {
        column("Hello, \(model.user.name).", model) {
            if case .factor(let methods)? = model.proof {
                FactorProofView(model: model, methods: methods, method: methods.first ?? .totp)
            } else if model.proof == .password {
                field("Current password", $model.currentPassword, .currentPassword, .password, model)
                submit("Continue", model) { await model.submitProof() }
                Button("Cancel") { model.cancelProof() }
            } else {
                field("Name", $model.name, .name, .name, model)
                submit("Save", model) { await model.saveName() }
                ForEach(model.devices.filter { !$0.isCurrent }) { device in
                    Button("Sign out \(device.device ?? "unknown device")") { Task { await model.end(device) } }
                }
                Button("Sign out") { Task { await model.signOut() } }
            }
        }
        .task { await model.load() }
    }
}

struct FactorProofView: View {
    @Bindable var model: AccountModel
    let methods: [SecondFactorMethod]
    @State var method: SecondFactorMethod
    var body: some View {
        Group {
            if method == .passkey {
                PasskeyButton(model: model, ask: model.proofRequest, send: model.submitProof(_:for:))
            } else {
                field(labels[method] ?? "", $model.code, .code, .oneTimeCode, model)
                submit("Continue", model) { await model.submitProof(method) }
            }
            ForEach(methods.filter { $0 != method }, id: \.self) { other in
                Button(labels[other] ?? "") {
                    method = other
                    model.code = ""
                }
            }
            Button("Cancel") { model.cancelProof() }
        }
    }
}

struct TermsView: View {
    @State var model: AccountModel
    let site: Site?
    var body: some View {
        column("The terms have changed", model) {
            if let site { Link("Read the terms", destination: site.termsURL) }
            submit("Accept and continue", model) { await model.acceptTerms() }
            Button("Sign out") { Task { await model.signOut() } }
        }
    }
}
