import Testing

/// What `doctor` says of a privacy page of the operator's own.
@Suite(.timeLimit(.minutes(15)))
struct PrivacyPageTests {
    private static let applications = [
        "VESTIBULE_TRUSTED_PROXIES": "127.0.0.1", "VESTIBULE_APP_NOTES_ORIGINS": "http://notes.localhost:3000",
        "VESTIBULE_APP_NOTES_LABEL": "Fir & Notes",
    ]

    private func doctor(_ page: String?) async throws -> String {
        let program = try Program()
        if let page { try program.write(page, to: "Templates/privacy.mustache") }
        let outcome = try await program.run("doctor", environment: Self.applications)
        #expect(outcome.status == 0)
        return outcome.output
    }

    @Test func `the page that comes with it lacks nothing`() async throws {
        #expect(try await doctor(nil).contains("ok   privacy page\n"))
    }

    @Test func `an application that a page of one's own does not name is a warning`() async throws {
        let told = try await doctor("<p>Nobody else sees it. You may have passkeys and an authenticator app.</p>")
        #expect(told.contains("warn privacy page (en, ar, de): it does not name Fir & Notes\n"), "\(told)")
    }

    @Test func `passkeys and apps are missed where no word is said of them`() async throws {
        let told = try await doctor("<p>Fir &amp; Notes is told who you are.</p>")
        #expect(
            told.contains("warn privacy page (en, ar, de): it does not name passkeys, authenticator apps\n"), "\(told)")
    }

    @Test func `a page of one's own that names all is no warning`() async throws {
        let page = "<p>Fir &amp; Notes. [[privacy.kept_passkeys]] [[privacy.kept_app]]</p>"
        #expect(try await doctor(page).contains("ok   privacy page\n"))
    }
}
