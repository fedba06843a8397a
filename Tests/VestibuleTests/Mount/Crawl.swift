import Foundation
import HTTPTypes

/// A browser that opens every link once, and sends every form once as it stands.
actor Crawl {
    private let browser: Browser
    /// Other origins that links may name.
    private let allowed: [String]
    private(set) var seen: Set<String> = []
    /// Links that leave the path, and the page they stand on.
    private(set) var outside: [String] = []
    private var queue: [String] = []

    init(browser: Browser, allowed: [String]) {
        (self.browser, self.allowed) = (browser, allowed)
    }

    func walk(from starts: [String]) async throws {
        queue = starts.map { browser.mount + $0 }
        while let target = queue.popLast() {
            let path = String(target.split(separator: "?")[0])
            guard seen.insert(path).inserted else { continue }
            let headers = ["Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "document"]
            look(at: try await browser.get(target, headers: headers), asked: target)
            for form in await browser.last.forms where mayBeSent(form) {
                seen.insert("POST \(form.action)")
                look(at: try await browser.post(form.action, form.fields), asked: "POST \(form.action)")
            }
        }
    }

    /// Those that end the visit come last in life, and not here.
    private func mayBeSent(_ form: Page.Form) -> Bool {
        !form.action.hasSuffix("/logout") && !form.action.hasSuffix("/end") && !seen.contains("POST \(form.action)")
            && form.action.hasPrefix("\(browser.mount)/")
    }

    private func look(at page: Page, asked: String) {
        for link in page.links {
            guard isInside(link) else {
                outside.append("\(asked): \(link)")
                continue
            }
            if link.hasPrefix("\(browser.mount)/"), !link.hasSuffix("/logout") { queue.append(link) }
        }
    }

    private func isInside(_ link: String) -> Bool {
        let wish = URLComponents(string: link)?.queryItems?.first { $0.name == "return_to" }?.value
        guard wish.map(isInside) ?? true else { return false }
        return link.hasPrefix("\(browser.mount)/") || link.hasPrefix("?") || link.hasPrefix("#")
            || link.hasPrefix("http://localhost:8080\(browser.mount)/") || allowed.contains(where: link.hasPrefix)
    }
}

extension Page {
    struct Form {
        let action: String
        let fields: [String: String]
    }

    /// Everything a browser would ask for, or might be led to.
    var links: [String] {
        let attributes = body.matches(of: /(?:href|src|action|formaction|data-link|data-strength)="([^"]*)"/)
        let others = body.matches(of: /content="0; url=([^"]*)"|url\(([^)]*)\)/)
        let isScript = headers[.contentType]?.contains("javascript") == true
        let texts = isScript ? body.matches(of: /["'`](\/[a-z][^"'`]*)/) : []
        let links =
            [location].compactMap { $0 } + attributes.map { String($0.output.1) }
            + others.map { String($0.output.1 ?? $0.output.2 ?? "") } + texts.map { String($0.output.1) }
        return links.map { $0.replacing("&amp;", with: "&") }
    }

    /// With what stands in their fields.
    var forms: [Form] {
        body.matches(of: /(?s)<form[^>]* action="([^"]*)"[^>]*>(.*?)<\/form>/).map { form in
            let inputs = form.output.2.matches(of: /<input[^>]*>/).map { String($0.output) }
            let fields = inputs.compactMap { input -> (String, String)? in
                guard let name = input.firstMatch(of: /\sname="([^"]*)"/) else { return nil }
                let value = input.firstMatch(of: /\svalue="([^"]*)"/)
                return (String(name.output.1), value.map { String($0.output.1) } ?? "")
            }
            return Form(action: String(form.output.1), fields: Dictionary(fields) { $1 })
        }
    }
}
