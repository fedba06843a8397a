package import Serving

/// The product's cookies; contract section 8 has their names.
extension SiteCookies.Kind {
    package static let session = SiteCookies.Kind(rawValue: "")
    static let device = SiteCookies.Kind(rawValue: "-device")
    static let flow = SiteCookies.Kind(rawValue: "-flow")
    static let link = SiteCookies.Kind(rawValue: "-link")
    static let auth = SiteCookies.Kind(rawValue: "-auth")
    static let authAnswer = SiteCookies.Kind(rawValue: "-auth-answer")
    static let typed = SiteCookies.Kind(rawValue: "-typed")
}
