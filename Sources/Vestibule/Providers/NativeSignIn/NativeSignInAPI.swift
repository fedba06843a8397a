import Essentials
import Foundation
import HTTPTypes
import Hummingbird
import Serving

/// `POST sign-in/social`, `POST sign-in/social/nonce`.
struct NativeSignInAPI {
    let signIn: NativeSignIn
    let audit: Audit
    let problems: Problems

    func add(to routes: some RouterMethods<AppContext>) {
        routes.post("/api/auth/sign-in/social") { request, context in
            let body = try await JSONBody(request)
            guard let provider = try body.textIfSent("provider"), let token = try body.objectIfSent("idToken"),
                let identity = try token.textIfSent("token"), let nonce = try token.textIfSent("nonce")
            else { throw HTTPError(.badRequest, message: "“provider”, “idToken.token” or “idToken.nonce” is missing.") }
            // Apple gives people without a family name none, which many encoders write as null.
            let name = try body.objectIfSent("user", orNull: true)?.objectIfSent("name", orNull: true)
            let parts = try ["firstName", "lastName"].map { try name?.textIfSent($0, orNull: true) }
            let form = NativeSignIn.Form(
                provider: provider, token: identity, nonce: nonce,
                authorizationCode: try body.textIfSent("authorizationCode", orNull: true),
                name: name == nil ? nil : parts.compactMap { $0?.trimmingSpaces }.joined(separator: " "),
                acceptsTerms: try body.acceptsTerms()
            )
            do {
                return try problems.answer(await signIn.signIn(form, visitor: context.visitor), context)
            } catch let fault as ProviderFault {
                let known = signIn.providers.named(form.provider)?.settings.name ?? "unknown"
                audit.log(fault, provider: known, visitor: context.visitor)
                throw Refusal.providerRejected
            }
        }
        routes.post("/api/auth/sign-in/social/nonce") { _, _ in
            let nonce = signIn.nonces.make()
            return try JSONReply.of(["nonce": nonce.text, "expires_at": nonce.expiresAt] as JSONObject)
        }
    }
}
