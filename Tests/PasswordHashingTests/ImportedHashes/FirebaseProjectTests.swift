import TestSupport
import Testing

@testable import PasswordHashing

@Suite("Firebase project")
struct FirebaseProjectTests {
    private typealias Vectors = ImportedHashVectors

    private func project(
        memoryCost: Int = 14, rounds: Int = 8, saltSeparator: String = "Bw==",
        signerKey: String = ImportedHashVectors.firebaseSignerKey
    ) throws -> FirebaseProject {
        try FirebaseProject(
            memoryCost: memoryCost, rounds: rounds, saltSeparator: saltSeparator, signerKey: signerKey
        )
    }

    @Test func `an exported hash is completed with what its project shares`() throws {
        #expect(try project().complete(Vectors.firebaseExported) == Vectors.firebase)
        let urlSafe = Vectors.firebaseExported.replacing("+", with: "-").replacing("/", with: "_")
        #expect(try project().complete(urlSafe) == Vectors.firebase)
        for other in [Vectors.firebase, Vectors.bcrypt[0], "$fbscrypt$", "$fbscrypt$a$b$c", "fbscrypt$a$b"] {
            #expect(try project().complete(other) == nil)
        }
    }

    @Test func `every parameter of the project counts`() throws {
        let projects = try [
            project(memoryCost: 13), project(rounds: 9), project(saltSeparator: "CA=="),
            project(signerKey: "A" + Vectors.firebaseSignerKey.dropFirst()),
        ]
        for project in projects {
            let whole = try #require(project.complete(Vectors.firebaseExported))
            let matches = try ImportedHashes.read(whole).isMade(by: Password(Vectors.firebasePassword))
            #expect(!matches, "\(whole)")
        }
    }

    @Test func `parameters that no project has are refused`() {
        #expect(throws: ImportedHashRefusal.self) { try project(memoryCost: 30) }
        #expect(throws: ImportedHashRefusal.self) { try project(rounds: 0) }
        #expect(throws: ImportedHashRefusal.self) { try project(saltSeparator: "B") }
        #expect(throws: ImportedHashRefusal.self) { try project(signerKey: "Bw==") }
    }
}
