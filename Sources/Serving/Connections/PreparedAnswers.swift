import Essentials

/// What connections answer before a request reaches the framework, by request target: what is the
/// same for everybody, which are pages and the files under `Public`, and what needs no waiting. The
/// routes would answer the same.
package struct PreparedAnswers: Sendable {
    enum Target {
        case file(CachedResponse)
        /// By its name.
        case page(String)
        case immediate(any ImmediateResponder)
    }

    private var targets: [String: Target]
    private let pages: Pages
    let headers: SecurityHeaders
    let languages: Languages
    let hosts: KnownHosts

    /// Pages by path; files and responders by target. Responders answer proxies of applications.
    package init(
        pages: Pages, paths: [String: String], files: [String: CachedResponse],
        responders: [String: any ImmediateResponder] = [:], headers: SecurityHeaders, languages: Languages,
        hosts: KnownHosts
    ) {
        targets = paths.mapValues(Target.page)
        targets.merge(files.mapValues(Target.file)) { page, _ in page }
        targets.merge(responders.mapValues(Target.immediate)) { page, _ in page }
        (self.pages, self.headers, self.languages, self.hosts) = (pages, headers, languages, hosts)
    }

    func target(_ uri: String) -> Target? {
        // Characters: only text beyond ASCII equals other bytes.
        uri.isASCII ? targets[uri] : nil
    }

    /// Nil for a page that is not ready in that language, and for what is made for each request.
    func body(of target: Target, locale: String) -> CachedResponse? {
        switch target {
        case .file(let body): body.adding(headers.headers)
        case .page(let name): pages.ready(name, in: locale)?.adding(headers.headers)
        case .immediate: nil
        }
    }
}
