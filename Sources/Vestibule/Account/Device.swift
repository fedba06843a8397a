import Foundation

/// A device in words, from its user agent, by a small table; what the table does not know stays unknown.
struct Device {
    /// "Firefox on Linux"; `nil` when neither is known.
    let name: String?

    /// First match wins: browsers claim to be each other, the most specific name first.
    private static let browsers = [
        ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"), ("Vivaldi/", "Vivaldi"),
        ("FxiOS/", "Firefox"), ("Firefox/", "Firefox"), ("CriOS/", "Chrome"), ("HeadlessChrome/", "Chrome"),
        ("Chrome/", "Chrome"), ("Safari/", "Safari"), ("curl/", "curl"),
    ]
    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "ChromeOS"), ("Windows", "Windows"),
        ("Macintosh", "Mac"), ("Linux", "Linux"),
    ]

    init(userAgent: String) {
        let browser = Self.browsers.first { userAgent.contains($0.0) }?.1
        let system = Self.systems.first { userAgent.contains($0.0) }?.1
        name =
            switch (browser, system) {
            case (let browser?, let system?): "\(browser) – \(system)"
            default: browser ?? system
            }
    }
}
