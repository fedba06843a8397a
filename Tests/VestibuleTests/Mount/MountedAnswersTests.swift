import Foundation
import HTTPTypes
import Logging
import TestSupport
import Testing

@testable import Essentials
@testable import Serving
@testable import Vestibule

/// What is answered under the path, and outside of it.
@Suite("Mount: answers", .timeLimit(.minutes(15)))
struct MountedAnswersTests {
    private static let mounted: [Setting: String] = [.publicURL: "http://localhost:8080/door"]

    @Test func `outside of the path there is nothing but what programs ask for`() async throws {
        try await withHouse(Self.mounted) { house in
            for path in [
                "/", "/login", "/account", "/mark.svg", "/doors", "/Door/login", "/%64oor/login", "//door/login",
                "/.outside/login", "/door/.outside/login", "/api/auth/session", "/door/door/login",
            ] {
                let page = try await house.ask(path)
                #expect(page.status == .notFound && page.shows("href=\"/door/\""), "\(path)")
            }
            for path in ["/healthz", "/readyz", "/door/healthz", "/door/readyz", "/door", "/door/", "/door/mark.svg"] {
                #expect(try await house.ask(path).status == .ok, "\(path)")
            }
            for path in ["/.well-known/change-password", "/door/.well-known/change-password"] {
                #expect(try await house.ask(path).location == "/door/account/password")
            }
            #expect(try await house.ask("http://localhost/door/login?a=b").status == .ok)
            #expect(try await house.ask("http://localhost/login").status == .notFound)
            #expect(try await house.ask("/door?lang=de").shows("lang=\"de\""))
        }
    }

    @Test func `what is the same for everybody is prepared under the path, and there only`() async throws {
        try await withHouse(Self.mounted) { house in
            for target in ["/door", "/door/", "/door/login", "/door/mark.svg"] {
                let answers = try await RawAnswer.all(of: ["GET \(target)", "GET \(target)?x"], with: house)
                #expect(answers[0].isPrepared && answers[0].status == 200, "\(target)")
                #expect(!answers[1].isPrepared && answers[1].body == answers[0].body, "\(target)")
            }
            for target in ["/", "/login", "/mark.svg", "/css/vestibule.css"] {
                let answer = try await RawAnswer.of("GET \(target)", with: house)
                #expect(!answer.isPrepared && answer.status == 404, "\(target)")
            }
        }
    }
}

extension House {
    /// One request by a path of the origin, as it is.
    func ask(_ target: String) async throws -> Page {
        try await Browser(client: client, address: "192.0.2.1").get(target)
    }
}
