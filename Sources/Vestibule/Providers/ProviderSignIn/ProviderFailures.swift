import Hummingbird
import Serving

/// What a browser is told when a sign-in through a provider does not work out.
struct ProviderFailures: Sendable {
    let web: Web
    let audit: Audit

    /// One sentence for every cause, on the page one came from; the log says which.
    func response(
        _ fault: ProviderFault, _ provider: Provider, page: AuthFlow.Page? = nil, returnTo: String? = nil,
        _ context: AppContext
    ) throws -> Response {
        audit.log(fault, provider: provider.settings.name, visitor: context.visitor)
        let origin = web.link((page ?? .login).rawValue, returnTo: returnTo)
        return try web.say(.providerFailed, on: context.session == nil ? origin : AccountSection.security.path)
    }
}
