import Foundation
import HTTPTypes

@testable import Essentials
@testable import Serving
@testable import Vestibule

extension Page {
    /// What the redirect has left to say.
    var flash: Flash? {
        guard let origin = Origin("http://localhost") else { return nil }
        let opener = FlashCookie(cookies: SiteCookies(publicURL: origin), key: House.key, now: { .distantPast })
        let values = headers[values: .setCookie].compactMap { line in
            line.split(separator: ";")[0].split(separator: "vestibule-flash=").last.map(String.init)
        }
        return values.lazy.compactMap { opener.flash($0) }.first
    }

    /// Whether it is a redirect to that page, which will say that.
    func leads(to page: String, saying notice: Notice) -> Bool {
        status == .seeOther && location == page && flash?.notice == notice
    }

    /// What a page says of the step before, and the word that begins its title.
    var notice: String? {
        let said = /<p class="notice[^>]*>(?:<svg.*?<\/svg>)?<span>([^<]*)<\/span><\/p>/
        return body.firstMatch(of: said).map { String($0.output.1) }
    }
}
