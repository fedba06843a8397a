import Foundation
import HTTPTypes
import Mailing
import TestSupport
import Testing

@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct DevMailTests {
    @Test func `another machine is told why it sees no mails, and the log says so`() async throws {
        let folder = FileTransport(path: FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path)
        try await withHouse([.trustedProxies: "127.0.0.1"], transport: folder) { house in
            for path in ["/dev/mail", "/dev/mail/x.eml"] {
                let page = try await house.visitor(at: "203.0.113.7").get(path)
                #expect(page.status == .forbidden)
                #expect(page.shows("Development mails are shown on the machine of the server only."))
            }
            let lines = house.logs.lines(of: "authz_fail")
            #expect(lines.count == 2 && lines.allSatisfy { $0.contains("source_ip=203.0.113.7") }, "\(lines)")
            #expect(try await house.visitor(at: "127.0.0.1").get("/dev/mail").status == .ok)
        }
    }
}
