import Testing

@testable import Essentials
@testable import Vestibule

/// Calls to a provider and their threads.
struct OutboundHTTPTests {
    @Test(arguments: [false, true])
    func `no call is made once the threads were let go`(hadStarted: Bool) async throws {
        let http = OutboundHTTP(plainOrigins: [])
        if hadStarted { http.start() }
        http.stop()
        await #expect(throws: ProviderFault.unreachable("stopped before the call")) {
            _ = try await http.send(OutboundRequest(url: "https://provider.invalid/"))
        }
    }
}
