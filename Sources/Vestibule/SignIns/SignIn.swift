package import Essentials

/// A successful sign-in: what the browser gets.
package struct SignIn: Sendable {
    package let account: Account
    package let token: Token
    package let session: Session
    /// The browser is known from now on.
    package let device: DeviceCookie?
    /// Where the visitor wanted to go; already checked.
    package let destination: String?

    init(account: Account, token: Token, session: NewSession, device: DeviceCookie?, destination: String?) {
        self.account = account
        self.token = token
        self.session = session.session
        self.device = device
        self.destination = destination
    }
}
