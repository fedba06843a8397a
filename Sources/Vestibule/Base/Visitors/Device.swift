import Essentials

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
    /// Its name may be escaped. A text with a space or a full stop is none: it goes into mails to
    /// the account's owner, where a thief would write sentences, and mail readers make links.
    private static func app(_ userAgent: String) -> String? {
        let product = userAgent.parts(by: " ").first { !$0.isEmpty }?.parts(by: "/")
        guard let product, product.count == 2, product[0] != "Mozilla",
            let name = String(product[0]).percentDecoded, isName(name)
        else { return nil }
        return name
    }

    /// Up to three words, and no number that could be a code.
    private static func isName(_ name: String) -> Bool {
        let scalars = name.unicodeScalars
        let words = scalars.split(omittingEmptySubsequences: false) { $0 == "_" || $0 == "-" }
        return (1...32).contains(scalars.count) && name.isShowable && words.count <= 3
            && words.joined().allSatisfy { $0.isLetterOrMark || $0.isJoiner || $0.isNumeric }
            && scalars.split { !$0.isNumeric }.allSatisfy { $0.count <= 3 }
    }
}

extension Unicode.Scalar {
    fileprivate var isNumeric: Bool { properties.numericType != nil }
}
