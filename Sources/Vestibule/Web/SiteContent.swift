/// What the site shows, read from its resources: static files, templates, and the pages made of
/// them.
package struct SiteContent: Sendable {
    let resources: Resources
    let files: StaticFiles
    package let pages: Pages

    /// Reads and checks everything; makes the pages of the default language. Throws
    /// `TemplateFault`.
    package init(_ resources: Resources, settings: Settings) throws {
        self.resources = resources
        files = try StaticFiles(resources)
        pages = try Pages(templates: Templates(resources, site: Site(settings: settings, files: files)))
    }
}
