import Testing

/// `vestibule check-proxy` where no proxy is asked.
@Suite(.timeLimit(.minutes(15)))
struct CheckProxyTests {
    @Test func `a page that anybody sees is said to be one, before the number of attacks`() async throws {
        let server = try await Server(Program())
        let checked = try await Program().run("check-proxy", "http://127.0.0.1:\(server.port)/")
        #expect(checked.status == 1)
        #expect(
            checked.errors.contains("vestibule: error: anybody gets in without signing in; "), "\(checked.errors)")
        #expect(checked.errors.contains("or a public page? Give the URL of a page that needs the sign-in."))
        _ = await server.end(15)
    }
}
