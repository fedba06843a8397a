import TestSupport
import Testing

@testable import Bytes
@testable import PasswordHashing

@Suite("Foreign hashes")
struct ImportedHashTests {
    private typealias Vectors = ImportedHashVectors

    @Test(arguments: ImportedHashVectors.all + [ImportedHashVectors.firebase])
    func `a hash of another program knows its password and no other`(stored: String) throws {
        let password = stored == Vectors.firebase ? Vectors.firebasePassword : Vectors.password
        let hash = try ImportedHashes.read(stored)
        let matches = try [password, password + "x", String(password.dropLast()), password.uppercased(), ""].map {
            try hash.isMade(by: Password($0))
        }
        #expect(matches == [true, false, false, false, false])
    }

    @Test(arguments: ImportedHashVectors.all + [ImportedHashVectors.firebase])
    func `a hash cut off anywhere, or with anything added, is refused`(stored: String) throws {
        let pieces = [
            "", "$", String(stored.dropLast()), String(stored.dropLast(2)), String(stored.dropLast(12)), stored + "A",
            stored + "=", stored + "$", stored + " ", " " + stored, stored + "\n", String(stored.dropFirst()),
            "$" + stored, stored + "\u{0}", stored + "é",
        ]
        for piece in pieces {
            #expect(throws: ImportedHashRefusal.self, "\(piece.debugDescription)") { try ImportedHashes.read(piece) }
        }
    }

    @Test(arguments: ImportedHashVectors.all)
    func `a hash with one character changed never knows the password`(stored: String) throws {
        let characters = Array(stored)
        for index in stride(from: characters.count - 1, to: 0, by: -7) {
            var changed = characters
            changed[index] = characters[index] == "a" ? "b" : "a"
            guard let hash = try? ImportedHashes.read(String(changed)) else { continue }
            #expect(try !hash.isMade(by: Password(Vectors.password)), "\(String(changed))")
        }
    }

    @Test(arguments: [
        "plain", "!unusable", "5f4dcc3b5aa765d61d8327deb882cf99", "$1$abcdefgh$1vuUgwYfiRU37nrpOPtSIS", "abJnggxhB/yWI",
        "md5$salt$5f4dcc3b5aa765d61d8327deb882cf99", "$2x$05$9dY8EIi5J/pt0cL0dCOU6eNbNV9NGKH065Zln/hHKG51SK/IdSFW.",
        "{BLF-CRYPT}$2y$05$p9vASo5hMYyvFrgZMJ8hnePMYJgsFAm6IoT7AlHNKJl/HDMfJModG", "bcrypt_sha512$$2b$05$x",
    ])
    func `a form that is not known is said to be so`(stored: String) {
        #expect(throws: ImportedHashRefusal.unknownForm) { try ImportedHashes.read(stored) }
    }

    @Test func `bcrypt reads 72 bytes, as the libraries that made the hash did`() throws {
        let hash = try ImportedHashes.read("$2b$04$B1sRHSTxZtUuFkB8.9gFHuT/0nSFO43KyhhHKu4uYmAVGMFRrlluy")
        let whole = String(repeating: "long enough? ", count: 6)
        #expect(try hash.isMade(by: Password(whole)))
        #expect(try hash.isMade(by: Password(whole + String(repeating: "x", count: 600))))
        #expect(try !hash.isMade(by: Password(String(whole.prefix(71)))))
    }

    @Test func `letters beyond ASCII are hashed as UTF-8`() throws {
        let hash = try ImportedHashes.read("$2b$04$L/0PFj6QXwuMHOl6BmqSBeTfcheCY6mSDR8lFG8CsHyVlrBZkNM7.")
        #expect(try hash.isMade(by: Password("Grüße, Jürgen")))
        #expect(try hash.isMade(by: Password("Gru\u{308}ße, Ju\u{308}rgen")))
    }

    @Test func `a password that C would cut off is another one`() throws {
        for stored in Vectors.bcrypt.prefix(1) + Vectors.crypt {
            let hash = try ImportedHashes.read(stored)
            #expect(try !hash.isMade(by: Password(Vectors.password + "\u{0}x")), "\(stored)")
        }
        let long = Password(String(repeating: "x", count: 512))
        for stored in Vectors.crypt { #expect(try !ImportedHashes.read(stored).isMade(by: long), "\(stored)") }
    }
}
