import Testing

@testable import Bytes
@testable import PasswordHashing

@Suite("Password hash")
struct PasswordHashTests {
    private let phc =
        "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$K13EBUiG7JV+9ZxztmHFTdb7J0WQsnj2V8bZaqyPptE"

    @Test func `a PHC string is read and written back`() throws {
        let parts = try #require(PasswordHash(phc: phc).parts)
        #expect(parts.parameters == Argon2Parameters())
        #expect(parts.salt == Array("somesaltsomesalt".utf8))
        #expect(parts.tag.count == 32)
        #expect(parts.phc == phc)
    }

    @Test(arguments: [
        ("$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$dGFn", "argon2id"), ("$2b$12$R9h/cIPz0gi.URNNX3kh2O", "bcrypt"),
        ("pbkdf2_sha256$600000$salt$dGFn", "pbkdf2_sha256"), ("$6$salt$dGFn", "sha512crypt"),
        ("5f4dcc3b5aa765d61d8327deb882cf99", "unknown"), ("", "unknown"), ("$$", "unknown"),
    ])
    func `its scheme is told, and nothing else of it`(phc: String, scheme: String) {
        #expect(PasswordHash(phc: phc).scheme == scheme)
    }

    @Test(arguments: [
        "", "$", "plain", "$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW",
        "$argon2i$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$K13EBUiG7JV+9ZxztmHFTdb7J0WQsnj2V8bZaqyPptE",
        "$argon2id$v=16$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$K13EBUiG7JV+9ZxztmHFTdb7J0WQsnj2V8bZaqyPptE",
        "$argon2id$v=19$t=2,m=19456,p=1$c29tZXNhbHRzb21lc2FsdA$K13EBUiG7JV+9ZxztmHFTdb7J0WQsnj2V8bZaqyPptE",
        "$argon2id$v=19$m=019456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$K13EBUiG7JV+9ZxztmHFTdb7J0WQsnj2V8bZaqyPptE",
        "$argon2id$v=19$m=19456,t=0,p=1$c29tZXNhbHRzb21lc2FsdA$K13EBUiG7JV+9ZxztmHFTdb7J0WQsnj2V8bZaqyPptE",
        "$argon2id$v=19$m=99999999,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$K13EBUiG7JV+9ZxztmHFTdb7J0WQsnj2V8bZaqyPptE",
        "$argon2id$v=19$m=-8,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$K13EBUiG7JV+9ZxztmHFTdb7J0WQsnj2V8bZaqyPptE",
        "$argon2id$v=19$m=,t=,p=$c29tZXNhbHRzb21lc2FsdA$K13EBUiG7JV+9ZxztmHFTdb7J0WQsnj2V8bZaqyPptE",
        "$argon2id$v=19$é,é,é$c29tZXNhbHRzb21lc2FsdA$K13EBUiG7JV+9ZxztmHFTdb7J0WQsnj2V8bZaqyPptE",
        "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA==$K13EBUiG7JV+9ZxztmHFTdb7J0WQsnj2V8bZaqyPptE",
        "$argon2id$v=19$m=19456,t=2,p=1$c29t ZXNhbHRzb21lc2FsdA$K13EBUiG7JV+9ZxztmHFTdb7J0WQsnj2V8bZaqyPptE",
        "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$K13EBUiG7JV+9ZxztmHFTdb7J0WQsnj2V8bZaqyPptE",
        "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$",
        "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$K13EBUiG7JV+9ZxztmHFTdb7J0WQsnj2V8bZaqyPptE$",
    ])
    func `text that is not a canonical Argon2id string is malformed`(phc: String) {
        #expect(PasswordHash(phc: phc).parts == nil)
    }

    @Test func `a hash cannot be printed`() {
        let hash = PasswordHash(phc: phc)
        #expect("\(hash)" == "•••")
        #expect(String(reflecting: hash) == "•••")
        #expect(Mirror(reflecting: hash).children.isEmpty)
    }
}
