import Testing
import VerifierSupport
import VestibuleVerifier

@Suite("Bad tokens")
struct BadTokenTests {
    @Test func `the unchanged token is accepted`() async throws {
        let specimen = Specimen()
        let identity = try await specimen.verifier().verify(specimen.token())
        #expect(identity.id == "ada1")
    }

    @Test(arguments: BadToken.all)
    func `one change and it is refused`(bad: BadToken) async throws {
        var specimen = Specimen()
        bad.change(&specimen)
        let token = try specimen.token()
        await #expect(throws: AssertionError.refused(bad.reason)) { try await specimen.verifier().verify(token) }
    }

    @Test func `no two rows have one name`() {
        #expect(Set(BadToken.all.map(\.testDescription)).count == BadToken.all.count)
    }
}
