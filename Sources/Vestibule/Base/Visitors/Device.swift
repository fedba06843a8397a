import Essentials
import Foundation

/// A device in words, from its user agent: browsers by a small table, apps by the name they give
/// themselves.
struct Device {
    /// "Firefox"; an app by its own name. Nil when it is not known.
    let browser: String?
    /// "Linux"; nil when it is not known.
    let system: String?
    /// "Firefox – Linux", "Acme – Android"; nil when neither is known.
    let name: String?

    /// First match wins: browsers claim to be each other, the most specific name first.
    private static let browsers = [
        ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"), ("Vivaldi/", "Vivaldi"),
        ("FxiOS/", "Firefox"), ("Firefox/", "Firefox"), ("CriOS/", "Chrome"), ("HeadlessChrome/", "Chrome"),
        ("Chrome/", "Chrome"), ("Safari/", "Safari"), ("curl/", "curl"),
    ]
    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "ChromeOS"), ("Windows", "Windows"),
        ("iOS ", "iOS"), ("Macintosh", "Mac"), ("Linux", "Linux"),
    ]

    init(userAgent: String) {
        browser = Self.browsers.first { userAgent.holds($0.0) }?.1 ?? Self.app(userAgent)
        system = Self.systems.first { userAgent.holds($0.0) }?.1
        name =
            switch (browser, system) {
            case (let browser?, let system?): "\(browser) – \(system)"
            default: browser ?? system
            }
    }

    /// The product an app puts first (RFC 9110 section 10.1.5): `Acme/1.2 CFNetwork/… Darwin/…`.
    /// Its name may be escaped. One with a full stop is none: mail readers would make it a link.
    private static func app(_ userAgent: String) -> String? {
        let product = userAgent.parts(by: " ").first { !$0.isEmpty }?.parts(by: "/")
        guard let product, product.count == 2, product[0] != "Mozilla",
            let name = String(product[0]).percentDecoded?.trimmingSpaces,
            (1...32).contains(name.unicodeScalars.count), name.isShowable, name.unicodeScalars.allSatisfy(isOfName)
        else { return nil }
        return name
    }

    private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isLetterOrMark || scalar.isJoiner || scalar.properties.numericType != nil
            || " _-".unicodeScalars.contains(scalar)
    }
}
