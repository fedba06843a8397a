import Testing

@testable import Essentials
@testable import Serving
@testable import Vestibule

@Suite("Setting: public URL")
struct PublicURLSettingTests {
    private func read(_ environment: [String: String]) throws(SettingFaults) -> Settings {
        try SettingsSources.read(flags: [:], environment: environment, environmentFile: nil)
    }

    @Test func `a path is part of the public URL`() throws {
        let settings = try read(["VESTIBULE_PUBLIC_URL": "http://localhost:8000/auth/"])
        #expect(settings.publicURL.text == "http://localhost:8000/auth")
        #expect(settings.publicURL.origin.text == "http://localhost:8000" && settings.publicURL.path == "/auth")
    }

    @Test(arguments: [
        "http://localhost/a/../b", "http://localhost/a%2fb", "http://localhost//a", "http://localhost/a?b",
    ])
    func `a path that may be read in two ways stops the start`(text: String) {
        let hint =
            "Such as https://login.example.com or https://example.com/auth; a path of letters, digits, -, ., _ and ~, "
            + "no query."
        #expect(throws: SettingFaults(all: [SettingFault(.publicURL, "is \"\(text)\"", hint: hint)])) {
            try read(["VESTIBULE_PUBLIC_URL": text])
        }
    }

    @Test func `by default a login leads to the account under the path`() throws {
        #expect(try read([:]).afterLoginURL == "/account")
        #expect(try read(["VESTIBULE_PUBLIC_URL": "http://localhost/auth"]).afterLoginURL == "/auth/account")
    }

    @Test func `a login may lead to an application beside the path, and never back to itself`() throws {
        let mounted = ["VESTIBULE_PUBLIC_URL": "http://localhost/auth"]
        for path in ["/", "/login", "/notes?a=1"] {
            #expect(try read(mounted.merging(["VESTIBULE_AFTER_LOGIN_URL": path]) { $1 }).afterLoginURL == path)
        }
        for path in ["/auth", "/auth/", "/auth/login?a=1", "/auth/signup"] {
            #expect(throws: SettingFaults.self, "\(path)") {
                try read(mounted.merging(["VESTIBULE_AFTER_LOGIN_URL": path]) { $1 })
            }
        }
    }
}
