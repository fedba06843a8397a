import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// Calls to a provider and their threads.
@Suite(.timeLimit(.minutes(15)))
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

    @Test func `no call is made that is not encrypted`() async throws {
        let http = OutboundHTTP(plainOrigins: [try #require(Origin("http://127.0.0.1:1"))])
        defer { http.stop() }
        await #expect(throws: ProviderFault.unreachable("not an https URL")) {
            _ = try await http.send(OutboundRequest(url: "http://127.0.0.1:2/"))
        }
    }

    @Test func `of 134 calls that hang, six are refused at once`() async throws {
        let standIn = try await ProviderStandIn.start()
        try await standIn.tell(["document": "hang"])
        let http = OutboundHTTP(plainOrigins: [try #require(Origin(standIn.base))])
        let request = OutboundRequest(url: ProviderMetadata.url(of: standIn.base))
        await withTaskGroup(of: ProviderFault?.self) { group in
            for _ in 0..<134 {
                group.addTask {
                    do throws(ProviderFault) {
                        _ = try await http.send(request)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            for _ in 0..<6 { #expect(await group.next() == .unreachable("too many calls are waiting")) }
            http.stop()
            for await fault in group { #expect(fault != .unreachable("too many calls are waiting")) }
        }
    }
}
