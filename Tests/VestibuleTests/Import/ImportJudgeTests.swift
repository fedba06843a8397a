import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import PasswordHashing
@testable import Vestibule

@Suite("Import judge")
struct ImportJudgeTests {
    private static let hash = ImportedHashVectors.bcrypt[0]
    private let now = Date(timeIntervalSince1970: 1_795_000_000)

    private func judge(_ text: String, project: FirebaseProject? = nil) throws -> StagedAccount? {
        var splitter = LineSplitter()
        let line = try #require(splitter.split(Array((text + "\n").utf8)).first)
        return try ImportJudge(now: now, locale: "de", random: .system, project: project).judge(line)
    }

    @Test func `a whole line makes an account that has agreed to nothing`() throws {
        let line =
            #"{"address": " \u202aAda@Exämple.com", "name": " Ada L.\u200f", "verified": true, "hash": "\#(Self.hash)"}"#
        let staged = try #require(try judge(line))
        #expect(staged.line == 1 && staged.account.email.key == "ada@xn--exmple-cua.com")
        #expect(staged.account.email.typed == "Ada@Exämple.com")
        #expect(staged.passwordHash == PasswordHash(phc: Self.hash))
        let account = Account(
            id: staged.account.id, email: "Ada@Exämple.com", displayName: "Ada L.", createdAt: now, verifiedAt: now,
            locale: "de", termsVersion: nil
        )
        #expect(staged.account == account && account.id.rawValue.count == 22)
    }

    @Test(arguments: [
        #"{"address":"ada@example.com"}"#, #"{"address":"ada@example.com","name":null,"verified":null,"hash":null}"#,
        "\t{\"address\":\"ada@example.com\",\"verified\":false} \r",
    ])
    func `only the address must be there`(line: String) throws {
        let staged = try #require(try judge(line))
        #expect(staged.account.displayName == "ada" && staged.account.verifiedAt == nil && staged.passwordHash == nil)
    }

    @Test(arguments: ["", " ", "\t \r"])
    func `an empty line is nobody`(line: String) throws {
        let staged = try judge(line)
        #expect(staged == nil)
    }

    @Test(
        arguments: [
            ("address,name", .notJSON), ("[]", .notJSON), (#""ada@example.com""#, .notJSON), ("null", .notJSON),
            (#"{"address":"ada@example.com"} {}"#, .notJSON), (#"{"address":"ada@example.com""#, .notJSON),
            (#"{"address":"\ud800@example.com"}"#, .notJSON), ("{}", .addressMissing),
            (#"{"address":null}"#, .addressMissing), (#"{"address":""}"#, .addressInvalid),
            (#"{"address":"ada"}"#, .addressInvalid), (#"{"address":"ada@localhost"}"#, .addressInvalid),
            (#"{"email":"ada@example.com"}"#, .unknownKey("email")),
            (#"{"address":"ada@example.com","Hash":"x"}"#, .unknownKey("Hash")),
            (#"{"address":"ada@example.com","address":"bob@example.com"}"#, .repeatedKey("address")),
            (#"{"address":"ada@example.com","verified":null,"v\u0065rified":true}"#, .repeatedKey("verified")),
            (#"{"x":1,"address":"ada@example.com","x":1}"#, .repeatedKey("x")),
            (#"{"address":1}"#, .wrongType(key: "address", wanted: "a text")),
            (#"{"address":"ada@example.com","name":["Ada"]}"#, .wrongType(key: "name", wanted: "a text")),
            (#"{"address":"ada@example.com","verified":1}"#, .wrongType(key: "verified", wanted: "true or false")),
            (#"{"address":"ada@example.com","verified":"true"}"#, .wrongType(key: "verified", wanted: "true or false")),
            (#"{"address":"ada@example.com","hash":{}}"#, .wrongType(key: "hash", wanted: "a text")),
            (#"{"address":"ada@example.com","name":" "}"#, .nameInvalid(.displayNameMissing)),
            (#"{"address":"ada@example.com","name":"a\u0007b"}"#, .nameInvalid(.displayNameInvalid)),
            (#"{"address":"ada@example.com","hash":""}"#, .hash(.unknownForm)),
            (#"{"address":"ada@example.com","hash":"plain"}"#, .hash(.unknownForm)),
            (#"{"address":"ada@example.com","hash":"$2b$05$cut"}"#, .hash(.malformed("bcrypt"))),
            (#"{"address":"ada@example.com","hash":"$fbscrypt$YQ==$YQ=="}"#, .projectMissing),
        ] as [(String, ImportRefusal)])
    func `what cannot be taken is refused with its reason`(line: String, reason: ImportRefusal) {
        #expect(throws: reason) { try judge(line) }
    }

    @Test func `a hash exported from Firebase is completed`() throws {
        let project = try FirebaseProject(
            memoryCost: 14, rounds: 8, saltSeparator: "Bw==", signerKey: ImportedHashVectors.firebaseSignerKey
        )
        func hash(_ text: String) throws -> PasswordHash? {
            try judge(#"{"address":"ada@example.com","hash":"\#(text)"}"#, project: project)?.passwordHash
        }
        #expect(try hash(ImportedHashVectors.firebaseExported) == PasswordHash(phc: ImportedHashVectors.firebase))
        #expect(try hash(ImportedHashVectors.firebase) == PasswordHash(phc: ImportedHashVectors.firebase))
        #expect(try hash(Self.hash) == PasswordHash(phc: Self.hash))
        #expect(throws: ImportRefusal.hash(.malformed("Firebase"))) { try hash("$fbscrypt$YQ==$YQ==") }
    }

    @Test func `bytes that are no UTF-8 or hold NUL are refused`() {
        let judge = ImportJudge(now: now, locale: "de", random: .system, project: nil)
        for bytes in [[0x22, 0xFF, 0x22], [0x7B, 0x00, 0x7D, 0x00], [0xFF, 0xFE, 0x7B, 0x00], [0xC0, 0x80]] as [[UInt8]]
        {
            var splitter = LineSplitter()
            #expect(throws: ImportRefusal.notUTF8) { try splitter.split(bytes + [10]).map { try judge.judge($0) } }
        }
    }

    @Test func `a reason quotes no more than the beginning of a key`() {
        let key = String(repeating: "k", count: 41)
        let refusal = #expect(throws: ImportRefusal.self) { try judge(#"{"\#(key)":"ada@example.com"}"#) }
        #expect(refusal?.reason == #"unknown key "\#(key.dropLast())""#)
    }
}
