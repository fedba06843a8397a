import Essentials
import Hummingbird
import Serving

extension SiteCookies {
    /// Seconds a browser stays known.
    static let deviceMaxAge = 365 * 86_400
}

extension Response {
    /// The same response, also making the browser known, if there is a cookie for it.
    func setting(_ cookies: SiteCookies, _ device: DeviceCookie?) -> Response {
        device.map { setting(cookies.set(.device, $0.text, maxAge: SiteCookies.deviceMaxAge)) } ?? self
    }
}
