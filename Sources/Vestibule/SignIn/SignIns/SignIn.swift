import Essentials

/// A successful sign-in: what the browser gets.
struct SignIn: Sendable {
    let account: Account
    let token: Token
    let session: Session
    /// The browser is known from now on.
    let device: DeviceCookie?
    /// Where the visitor wanted to go; already checked.
    let destination: String?

    init(account: Account, token: Token, session: NewSession, device: DeviceCookie?, destination: String?) {
        self.account = account
        self.token = token
        self.session = session.session
        self.device = device
        self.destination = destination
    }
}
