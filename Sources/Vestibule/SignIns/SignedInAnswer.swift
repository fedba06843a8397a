import Essentials
import Foundation
import Hummingbird
import Serving

extension Web {
    /// Where somebody who is signed in goes: raised terms come first, wherever that is.
    func home(_ session: Session, wish: String?) -> String {
        guard session.awaitsTerms else { return returnTo.destination(wish) }
        return link("/account/terms", returnTo: returnTo.granted(wish) ?? returnTo.afterLogin)
    }

    /// 303 with the new session's cookie, and the cookie by which this browser is known from now
    /// on. What was typed on the way is forgotten.
    func signedIn(_ signIn: SignIn, _ request: Request) -> Response {
        let destination = home(signIn.session, wish: signIn.destination)
        let lifetime = signIn.session.expiresAt.timeIntervalSince(signIn.session.createdAt)
        let maxAge = signIn.session.remembered ? Int(lifetime) : nil
        return seeOther(destination).setting(cookies.set(.session, signIn.token.text, maxAge: maxAge))
            .setting(cookies, signIn.device).forgettingTyped(request, self)
    }
}
