import Essentials
import Hummingbird
import Serving

/// The middleware, in the order a request meets it.
func addMiddleware(_ site: SiteServices, _ applications: ApplicationServices, to router: Router<AppContext>) {
    let (shared, settings, cookies) = (site.shared, site.shared.settings, site.web.cookies)
    router.addMiddleware {
        RequestDeadline<AppContext>(patience: shared.connectionPatience)
        VerdictMiddleware(
            verdicts: applications.verdicts, questions: applications.questions, loopbackOnly: LoopbackOnly(settings),
            headers: site.securityHeaders, audit: shared.audit)
        VisitorMiddleware(
            finder: site.proxies, languages: site.languages, cookies: cookies, logger: shared.logger,
            audit: shared.audit)
        SecurityHeadersMiddleware<AppContext>(site.securityHeaders, isForOtherHosts: Mount.isForOtherHosts)
        FetchNavigation<AppContext>()
        ErrorPages(
            web: site.web, problems: site.problems, applicationPrefix: ApplicationHostRoutes.prefix)
        HostCheck(hosts: site.hosts, publicURL: settings.publicURL, audit: shared.audit)
        LoopbackOnlyMiddleware<AppContext>(LoopbackOnly(settings))
        StaticFilesMiddleware<AppContext>(site.content.files)
        CrossOriginCheck<AppContext>(
            publicURL: settings.publicURL.origin, exempt: shared.providers.formPosts,
            checkedByRoute: ApplicationHostRoutes.pathsWithOwnCheck.union([AuthorizationPage.path, SignOutRoutes.path])
        ) {
            shared.audit.log(.crossSite, visitor: $1.visitor, path: $0.uri.path)
        }
        // Health tells of the store; so it must not fail with it. A verdict looks for itself, and
        // pages that are the same for everybody need no session.
        SessionMiddleware(
            sessions: site.sessions, cookies: cookies,
            exempt: HealthRoutes.paths.union(VerdictRoutes.paths).union(SiteContent.sameForMembers),
            signedInPolicy: site.securityHeaders.policy(alsoTo: shared.applications.all.flatMap(\.formTargets)))
        FlashMiddleware(web: site.web)
    }
}
