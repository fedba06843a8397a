import SwiftUI
import VestibuleClient

/// What all views share: the forms of a stranger, and who is signed in.
@MainActor @Observable final class Door {
    typealias Forms = (signIn: SignInModel, signUp: SignUpModel, reset: ResetModel)
    var session = SessionState.unknown
    private(set) var site: Site?
    private(set) var problem: String?
    private(set) var forms: Forms
    let service: any AuthService

    init(_ service: any AuthService) {
        (self.service, forms) = (service, Self.forms(service))
    }

    func begin() {
        forms = Self.forms(service)
        askOnce()
    }

    private func askOnce() {
        if site?.asksPasswordTwice == false { (forms.signUp.confirmation, forms.reset.confirmation) = (nil, nil) }
    }

    func open() async {
        problem = nil
        do {
            try await service.restore()
            site = try await service.site()
            // Somebody may be typing already: the forms stay.
            askOnce()
        } catch { problem = error.localizedDescription }
    }

    private static func forms(_ service: any AuthService, _ all: CarriedFields = CarriedFields()) -> Forms {
        (
            SignInModel(service, carried: all), SignUpModel(service, carried: all), ResetModel(service, carried: all)
        )
    }
}

struct RootView: View {
    let door: Door
    var body: some View {
        NavigationStack {
            switch door.session {
            case .unknown where door.problem == nil: ProgressView()
            case .unknown, .signedOut, .ended: WelcomeView(door: door)
            case .termsWanted(let user): TermsView(model: AccountModel(door.service, user: user), site: door.site)
            case .signedIn(let user): AccountView(model: AccountModel(door.service, user: user))
            }
        }
        .task { for await state in door.service.sessions { door.session = state } }
        .task { await door.open() }
    }
}

struct WelcomeView: View {
    let door: Door
    var body: some View {
        column(door.site?.name ?? "Welcome", nil) {
            if let tagline = door.site?.tagline { Text(tagline) }
            if door.session == .ended { Text("You have been signed out. Please sign in again.") }
            if let problem = door.problem { Button("\(problem) Try again") { Task { await door.open() } } }
            NavigationLink("Sign in") { SignInView(door: door) }.buttonStyle(.borderedProminent)
            if door.site?.allowsSignUp ?? true { NavigationLink("Create account") { SignUpView(door: door) } }
        }
        .onAppear { door.begin() }
    }
}
