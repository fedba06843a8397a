import Essentials

/// Finds the application that somebody wants to go on to after signing in.
struct WishedApplication: Sendable {
    let handOver: HandOver
    let applications: Applications
    let publicURL: PublicURL

    /// Returns nil for a page of this site, and for a link to `/enter` that is too old. `wish` is a
    /// granted `return_to`.
    func application(_ wish: String) -> ProtectedApplication? {
        if let origin = Origin(ofURL: wish) { return applications.application(at: origin) }
        guard let page = publicURL.page(at: wish) else { return applications.application(at: publicURL.origin) }
        guard let sealed = String(page).after("/enter?request=") else { return nil }
        return handOver.wish(String(sealed)).flatMap { applications.application(at: $0.origin) }
    }
}
