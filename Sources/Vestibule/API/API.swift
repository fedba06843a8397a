import Essentials
import Foundation
import Serving

/// The JSON API for native apps (contract section 5): the rules of the pages with another face.
struct API {
    let problems: Problems
    private let signUp: SignUpAPI
    private let signIn: SignInAPI
    private let social: SocialAPI
    private let session: SessionAPI
    private let reset: PasswordResetAPI
    private let user: UserAPI
    private let credentials: CredentialsAPI
    private let description: DescriptionAPI

    init(needs: Needs, sessions: Sessions, terms: Terms, web: Web, resources: Resources) throws {
        problems = Problems(web: web, description: needs.settings.publicURL.text + DescriptionAPI.path)
        signUp = SignUpAPI(signup: Signup(needs: needs, sessions: sessions, terms: terms))
        signIn = SignInAPI(login: Login(needs: needs, sessions: sessions, terms: terms))
        social = SocialAPI(
            rule: NativeSignIn(signIn: ProviderSignIn(needs: needs, sessions: sessions, terms: terms)))
        session = SessionAPI(needs: needs, sessions: sessions)
        reset = PasswordResetAPI(reset: PasswordReset(needs: needs))
        user = UserAPI(
            profile: Profile(needs: needs), deletion: DeleteAccount(needs: needs),
            terms: AcceptTerms(needs: needs, terms: terms)
        )
        credentials = CredentialsAPI(
            sessions: sessions, password: ChangePassword(needs: needs, sessions: sessions),
            email: EmailChange(needs: needs, sessions: sessions)
        )
        description = try DescriptionAPI(resources: resources)
    }

    func add(to routes: Routes) {
        signUp.add(to: routes)
        signIn.add(to: routes)
        social.add(to: routes)
        session.add(to: routes)
        reset.add(to: routes)
        user.add(to: routes)
        credentials.add(to: routes)
        description.add(to: routes)
    }
}
