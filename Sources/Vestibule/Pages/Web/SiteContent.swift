import Foundation
package import PasswordHashing
package import Serving

/// What the site shows, read from its resources: static files, templates, and the pages made of
/// them.
package struct SiteContent: Sendable {
    package let resources: Resources
    let files: StaticFiles
    package let pages: Pages
    package let commonPasswords: CommonPasswords
    /// The pages with a form from which a stranger may switch to another, or to another language;
    /// the form has the page's name as its id.
    static let switched = ["login", "signup", "reset", "auth/continue"]

    /// Pages that are the same for somebody who is signed in.
    static let sameForMembers: Set = ["/terms", "/privacy"]

    /// Checks language files, and if a template is the operator's, all templates and the first
    /// pages of the default language. Throws `TemplateFault`.
    package init(_ read: SiteFiles, settings: Settings) throws {
        (resources, files, commonPasswords) = (read.resources, read.files, read.commonPasswords)
        for application in settings.applications {
            guard let icon = application.icon, !files.holds("/" + icon) else { continue }
            throw TemplateFault("Public lacks \(icon), the icon of the application \(application.name)")
        }
        let site = Site(settings: settings, files: files)
        pages = try Pages(
            templates: Templates(read.templates) { site.values(locale: $0, all: $1) },
            shared: ["welcome", "login", "signup", "reset", "terms", "privacy"], keptForms: Self.switched)
    }

    /// The same of what it reads from `resources`. Throws `TemplateFault`.
    package init(_ resources: Resources, settings: Settings) throws {
        try self.init(SiteFiles(resources), settings: settings)
    }

    /// Names of the pages that are the same for everybody, by path.
    func sharedPaths(signupOpen: Bool) -> [String: String] {
        var paths = ["/": "welcome"]
        for name in ["login", "reset", "terms", "privacy"] { paths["/\(name)"] = name }
        if signupOpen { paths["/signup"] = "signup" }
        return paths
    }
}

/// What the site's resources say whatever its settings are.
package struct SiteFiles: Sendable {
    package let resources: Resources
    let files: StaticFiles
    let templates: TemplateFiles
    let commonPasswords: CommonPasswords

    /// Reads all of them. Throws `TemplateFault`.
    package init(_ resources: Resources) throws {
        self.resources = resources
        files = try StaticFiles(resources)
        commonPasswords = try resources.commonPasswords()
        templates = try TemplateFiles(resources)
    }
}

extension Resources {
    /// Reads what `serve` does, and every template and sentence of every language. Throws
    /// `TemplateFault`.
    package func check(_ settings: Settings) throws {
        _ = try languageReports()
        try SiteContent(self, settings: settings).pages.templates.check()
    }

    /// Those of `Templates/common-passwords.txt`; none without the file. Throws `TemplateFault`.
    package func commonPasswords() throws -> CommonPasswords {
        let name = "common-passwords.txt"
        let files = places.map { URL(filePath: "\($0)/Templates/\(name)") }
        guard let file = files.last(where: { FileManager.default.fileExists(atPath: $0.path) }) else {
            return CommonPasswords()
        }
        guard let text = try? String(contentsOf: file, encoding: .utf8) else {
            throw TemplateFault("\(file.path) cannot be read, or is not UTF-8")
        }
        do {
            return try CommonPasswords(lines: text)
        } catch {
            throw TemplateFault("\(file.path): \(error.reason)")
        }
    }
}
