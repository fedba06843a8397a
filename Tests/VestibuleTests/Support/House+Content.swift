import Synchronization

@testable import Serving
@testable import Vestibule

extension House {
    private static let kept = Mutex<[String: SiteContent]>([:])

    /// Reading it is most of the work of opening a house. Houses whose pages are filled with the
    /// same values share it.
    static func content(_ settings: Settings) throws -> SiteContent {
        let key = try words(settings)
        if let content = kept.withLock({ $0[key] }) { return content }
        let content = try SiteContent(resources, settings: settings)
        // A server makes other languages when it has started; a test would meet them made or not.
        try content.pages.prepare()
        kept.withLock { $0[key] = content }
        return content
    }

    private static let read = Result { (try StaticFiles(resources), try TemplateFiles(resources).languages) }

    /// What pages are filled with when they are read, in every language.
    private static func words(_ settings: Settings) throws -> String {
        let (files, languages) = try read.get()
        let site = Site(settings: settings, files: files)
        return languages.map { sorted(site.values(locale: $0, all: languages)) }.joined(separator: "\n")
    }

    /// Values as a text that does not depend on the order of keys.
    private static func sorted(_ value: any Sendable) -> String {
        switch value {
        case let values as Values:
            "[\(values.keys.sorted().map { "\($0): \(sorted(values[$0] ?? ""))" }.joined(separator: ", "))]"
        case let list as [Values]: "[\(list.map { sorted($0) }.joined(separator: ", "))]"
        default: "\(value)"
        }
    }
}
