import Crypto
import Foundation
import Testing
import VerifierSupport
import VestibuleVerifier

@Suite("Good tokens")
struct GoodTokenTests {
    @Test func `of a person everything is known`() async throws {
        let person = Identity.Person(
            name: "Ada", email: "ada@example.com", isEmailVerified: true, sessionID: "s1",
            provedAt: Date(timeIntervalSince1970: 1_799_990_000))
        let expected = Identity(
            id: "ada1", person: person, groups: ["staff"], methods: ["pwd"],
            expiresAt: Date(timeIntervalSince1970: 1_800_000_060))
        #expect(try await identity { _ in } == expected)
    }

    @Test func `a machine is no person`() async throws {
        let machine = try await identity { specimen in
            specimen.claims["sub"] = #""token:t1""#
            for claim in ["sid", "email", "name", "email_verified", "auth_time"] { specimen.claims[claim] = nil }
        }
        #expect(machine.id == "token:t1" && machine.person == nil)
    }

    @Test func `claims that nobody here knows are no obstacle`() async throws {
        _ = try await identity { $0.claims["locale"] = #"{"ui":["de", null, 1.5e3]}"# }
    }

    @Test func `a name in any script stays as it was typed`() async throws {
        let identity = try await identity { $0.claims["name"] = #""\u00c5sa 👩‍🚀 <b>""# }
        #expect(identity.person?.name == "Åsa 👩‍🚀 <b>")
    }

    @Test func `a token is good to its last second`() async throws {
        _ = try await identity { $0.now = Date(timeIntervalSince1970: 1_800_000_059.9) }
    }

    @Test func `the clock here may be a minute behind`() async throws {
        _ = try await identity {
            $0.now = Date(timeIntervalSince1970: 1_799_999_940)
            $0.claims["nbf"] = "1800000000"
        }
    }

    // ECDSA has two signatures for each; which one is sent says nothing (RFC 7518 section 3.4 asks
    // for neither), and Vestibule sends both.
    @Test func `a signature with the other s is as good`() async throws {
        _ = try await identity { specimen in
            specimen.sign = { key, text in
                let signature = [UInt8](try key.signature(for: text).rawRepresentation)
                return signature.prefix(32) + Self.orderMinus(Array(signature.suffix(32)))
            }
        }
    }

    private func identity(_ change: (inout Specimen) -> Void) async throws -> Identity {
        var specimen = Specimen()
        change(&specimen)
        return try await specimen.verifier().verify(specimen.token())
    }

    /// Of P-256 (SEC 2 section 2.4.2).
    private static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]

    private static func orderMinus(_ number: [UInt8]) -> [UInt8] {
        var (result, borrow) = (order, 0)
        for place in result.indices.reversed() {
            let difference = Int(order[place]) - Int(number[place]) - borrow
            borrow = difference < 0 ? 1 : 0
            result[place] = UInt8(difference & 0xFF)
        }
        return result
    }
}
