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
                try await tokens.revoke(form["token"], application)
                return Response(status: .ok)
            }
        }
    }

    private func given(
        _ form: Form, _ application: ProtectedApplication, _ context: AppContext
    ) async throws -> ClientTokens.Given? {
        switch form["grant_type"] {
        case "authorization_code":
            try await tokens.redeem(
                code: form["code"], redirect: form["redirect_uri"],
                verifier: form["code_verifier"].isEmpty ? nil : form["code_verifier"], application,
                visitor: context.visitor)
        case "refresh_token":
            try await tokens.refresh(form["refresh_token"], application, visitor: context.visitor)
        case "": throw TokenFault(code: "invalid_request", description: "grant_type is missing")
        default: throw TokenFault(code: "unsupported_grant_type", description: "not this grant_type")
        }
    }

    private static func body(_ given: ClientTokens.Given) -> JSONObject {
        [
            "access_token": given.access.text, "token_type": "Bearer", "expires_in": Int(ClientTokens.lifetime),
            "scope": given.scopes.text, "id_token": given.idToken, "refresh_token": given.refresh?.text,
        ]
    }
}
