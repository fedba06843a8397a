import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `sign-in/passkey…` and `factors/passkeys…`.
struct PasskeyAPI {
    let login: PasskeyLogin
    let registration: PasskeyRegistration
    let challenges: PasskeyChallenges
    let stepUp: StepUpCalls
    let reauthentication: Reauthentication
    let problems: Problems

    func add(to routes: some RouterMethods<AppContext>) {
        routes.post("/api/auth/sign-in/passkey/options") { _, _ in
            let (json, sealed) = try login.options()
            return try Self.answer(json, sealed)
        }
        routes.post("/api/auth/sign-in/passkey", use: signIn)
        routes.signedInCalls(termsMayWait: true).post("/api/auth/factors/proof/options") { _, context in
            let (json, sealed) = try await registration.proofOptions(for: context.record, context.factors)
            return try Self.answer(json, sealed)
        }
        let calls = routes.signedInCalls().add(middleware: stepUp)
        calls.post("/api/auth/factors/passkeys/options") { request, context in
            // Before a device makes one that would then be refused.
            try await reauthentication.prove(request, context)
            let (json, sealed) = try await registration.options(for: context.record, context.factors)
            return try Self.answer(json, sealed)
        }
        calls.post("/api/auth/factors/passkeys", use: add)
        calls.delete("/api/auth/factors/passkeys/{id}", use: remove)
        calls.post("/api/auth/factors/passkeys/{id}/rename", use: rename)
        if registration.offersCodes {
            calls.post("/api/auth/factors/passkeys/{id}/second", use: useForSecondStep)
        }
    }

    @Sendable private func signIn(_ request: Request, _ context: AppContext) async throws -> Response {
        let body = try await JSONBody(request)
        let form = PasskeyLogin.Form(
            response: try body.json("credential"), challenge: try body.challenge(challenges, for: .signIn),
            remember: true, returnTo: nil)
        do {
            return try problems.answer(await login.signIn(form, visitor: context.visitor), context)
        } catch is PasskeyLogin.Refused {
            throw Refusal.passkeyRefused
        }
    }

    @Sendable private func add(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await JSONBody(request)
        try await reauthentication.prove(body, context)
        let form = PasskeyRegistration.Form(
            response: try body.json("credential"),
            challenge: try body.challenge(challenges, for: .register(context.session.id)),
            name: try body.text("name"), isByItself: false)
        let added = try await registration.add(form, to: context.record, context.factors, visitor: context.visitor)
        return try JSONReply.renewed(added.renewed.token, context.record)
    }

    @Sendable private func rename(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await JSONBody(request)
        let name = try body.text("name")
        try await reauthentication.prove(body, context)
        let id = context.parameters.get("id") ?? ""
        guard try await registration.rename(id, to: name, by: context.record) else { throw HTTPError(.notFound) }
        return JSONReply.nothing
    }

    @Sendable private func useForSecondStep(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await reauthentication.prove(request, context)
        let id = context.parameters.get("id") ?? ""
        let used = try await registration.useForSecondStep(
            id, of: context.record, context.factors, visitor: context.visitor)
        guard let used else { throw HTTPError(.notFound) }
        return try JSONReply.renewed(used.renewed.token, context.record)
    }

    @Sendable private func remove(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await reauthentication.prove(request, context)
        let id = context.parameters.get("id") ?? ""
        let (removal, token) = try await registration.remove(
            id, from: context.record, context.factors, visitor: context.visitor)
        switch removal {
        case .removed: return try JSONReply.renewed(token, context.record)
        case .lastWay: throw Refusal.lastWayIn
        case .unknown: throw HTTPError(.notFound)
        }
    }

    private static func answer(_ json: [UInt8], _ sealed: String) throws -> Response {
        // The options are JSON already.
        let text = "{\"challenge\":\"\(sealed)\",\"options\":\(String(decoding: json, as: UTF8.self))}"
        return JSONReply.made(Array(text.utf8))
    }
}
