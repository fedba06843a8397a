import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `/oauth/token` and `/oauth/revoke`: what clients ask for, not browsers.
struct TokenRoutes {
    let tokens: ClientTokens
    let calls: ClientCalls

    func add(to routes: some RouterMethods<AppContext>) {
        routes.post("/oauth/token") { request, context in
            try await calls.answer(request, context) { form, application in
                guard let given = try await given(form, application, context) else {
                    // Behind a client with a secret are all of its visitors, of whom one may guess.
                    if application.client?.isPublic == true {
                        try await calls.authentication.failed(context.visitor)
                    }
                    throw TokenFault(
                        code: "invalid_grant", description: "unknown, spent, expired or of another request")
                }
                return try JSONReply.of(Self.body(given))
            }
        }
        routes.post("/oauth/revoke") { request, context in
            try await calls.answer(request, context) { form, application in
                try await tokens.revoke(Self.needed("token", in: form), application)
                return Response(status: .ok)
            }
        }
    }

    private func given(
        _ form: Form, _ application: ProtectedApplication, _ context: AppContext
    ) async throws -> ClientTokens.Given? {
        switch try Self.needed("grant_type", in: form) {
        case "authorization_code":
            return try await tokens.redeem(
                code: Self.needed("code", in: form), redirect: Self.needed("redirect_uri", in: form),
                verifier: form["code_verifier"].isEmpty ? nil : form["code_verifier"], application,
                visitor: context.visitor)
        case "refresh_token":
            guard application.client?.offersOffline == true else {
                throw TokenFault(
                    code: "unauthorized_client", description: "this application may not use this grant_type")
            }
            return try await tokens.refresh(
                Self.needed("refresh_token", in: form), application, visitor: context.visitor)
        default: throw TokenFault(code: "unsupported_grant_type", description: "not this grant_type")
        }
    }

    private static func needed(_ name: String, in form: Form) throws -> String {
        guard !form[name].isEmpty else {
            throw TokenFault(code: "invalid_request", description: "\(name) is missing")
        }
        return form[name]
    }

    private static func body(_ given: ClientTokens.Given) -> JSONObject {
        [
            "access_token": given.access.text, "token_type": "Bearer", "expires_in": Int(NewTokens.lifetime),
            "scope": given.scopes.text, "id_token": given.idToken, "refresh_token": given.refresh?.text,
        ]
    }
}
