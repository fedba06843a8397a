package import Hummingbird
import Logging
package import Serving

/// The application as a table of contents: the middleware, and a line for each group of features.
package func buildApplication(
    _ dependencies: Dependencies, content: SiteContent
) throws -> Application<RoutesResponder<AppContext>> {
    try buildApplication(SharedServices(dependencies), content: content)
}

func buildApplication(_ shared: SharedServices, content: SiteContent) throws -> Application<RoutesResponder<AppContext>>
{
    let (settings, logger) = (shared.settings, shared.logger)
    let site = SiteServices(shared, content)
    let applications = ApplicationServices(site)
    let router = Router(context: AppContext.self, options: .autoGenerateHeadEndpoints)
    addMiddleware(site, applications, to: router)
    addSignIn(site, to: router)
    addProviders(site, to: router)
    addFactors(site, to: router)
    addAccount(site, to: router)
    applications.add(to: router)
    addOpenID(site, applications.keys, to: router)
    addOperating(site, to: router)
    try DescriptionAPI(resources: content.resources).add(to: router)

    let mount = Mount(settings)
    let prepared = preparedAnswers(site, applications, mount)
    let connections = ConnectionSettings(settings, patience: shared.connectionPatience)
    return Application(
        responder: RoutesResponder(router, mount: mount),
        server: .init { HTTPChannel(connections, prepared, logger: logger, responder: $0) },
        configuration: ApplicationConfiguration(
            address: .hostname(settings.host, port: settings.port), serverName: nil, backlog: 1024,
            availableConnectionsDelegate: ConnectionLimit(logger: logger)),
        services: backgroundServices(site, applications.keys), logger: logger)
}

/// What connections answer by themselves, from memory.
private func preparedAnswers(
    _ site: SiteServices, _ applications: ApplicationServices, _ mount: Mount
) -> PreparedAnswers {
    // With the debug log each request for a file or a verdict has its line.
    let isQuiet = site.shared.logger.logLevel > .debug
    let paths = site.content.sharedPaths(signupOpen: site.shared.settings.signupOpen)
    return PreparedAnswers(
        pages: site.content.pages, paths: mount.targets(paths),
        files: isQuiet ? mount.targets(site.content.files.byTarget) : [:],
        responders: isQuiet ? applications.responders(mount) : [:],
        headers: site.securityHeaders, languages: site.languages, hosts: site.hosts)
}
