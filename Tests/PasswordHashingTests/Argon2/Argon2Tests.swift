import Foundation
import Testing

@testable import Bytes
@testable import PasswordHashing

@Suite("Argon2", .serialized)
struct Argon2Tests {
    @Test func `the tag is the one of the reference implementation's test vector`() throws {
        let parameters = Argon2Parameters(memoryKiB: 256, iterations: 2)
        let tag = try Argon2.tag(of: Password("password"), salt: Array("somesalt".utf8), parameters: parameters)
        #expect(hex(tag) == "9dfeb910e80bad0311fee20f9c0e2b12c17987b4cac90c2ef54d5b3021c68bfe")
    }

    @Test(arguments: [
        "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$K13EBUiG7JV+9ZxztmHFTdb7J0WQsnj2V8bZaqyPptE",
        "$argon2id$v=19$m=512,t=3,p=4$c29tZXNhbHRzb21lc2FsdA$W8SYtez2SqzCdoh+4xw8a/6PVFreYo+Ep8eWH5CLSI8",
    ])
    func `hashes of the argon2 command are ours too`(phc: String) throws {
        let parts = try #require(PasswordHash(phc: phc).parts)
        #expect(try Argon2.tag(of: Password("password"), salt: parts.salt, parameters: parts.parameters) == parts.tag)
    }

    @Test func `parameters outside the standard are a failure, not a crash`() {
        #expect(throws: Argon2.Failure.self) {
            try Argon2.tag(of: Password("password"), salt: [1, 2, 3], parameters: Argon2Parameters(memoryKiB: 8))
        }
    }

    @Test func `the memory of a thread serves one hash after the other`() {
        KeptMemory.keep(bytes: 1 << 20)
        defer { KeptMemory.release() }
        let first = KeptMemory.borrow(bytes: 1 << 20)
        KeptMemory.giveBack(first, wiping: 0)
        let second = KeptMemory.borrow(bytes: 1 << 10)
        KeptMemory.giveBack(second, wiping: 0)
        #expect(first != nil)
        #expect(first == second)
    }

    @Test func `a hash that needs more than is kept gets memory of its own`() {
        KeptMemory.keep(bytes: 1 << 20)
        defer { KeptMemory.release() }
        let kept = KeptMemory.borrow(bytes: 1 << 20)
        let larger = KeptMemory.borrow(bytes: 8 << 20)
        #expect(larger != nil)
        #expect(larger != kept)
        KeptMemory.giveBack(larger, wiping: 0)
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/sys/kernel/mm/transparent_hugepage")))
    func `kept memory asks for huge pages`() throws {
        KeptMemory.keep(bytes: 4 << 20)
        defer { KeptMemory.release() }
        let start = UInt(bitPattern: KeptMemory.borrow(bytes: 4 << 20))
        #expect(start % (2 << 20) == 0)
        let smaps = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/smaps")).readToEnd()
        let maps = String(decoding: smaps ?? Data(), as: UTF8.self).split(separator: "\n")
        let map = try #require(
            maps.lastIndex { line in
                let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
                return ends.count == 2 && (ends[0]..<ends[1]).contains(start)
            }
        )
        let flags = maps[map...].first { $0.hasPrefix("VmFlags:") }
        #expect(flags?.split(separator: " ").contains("hg") == true)
    }

    @Test func `kept memory does not show in the result`() throws {
        let parameters = Argon2Parameters(memoryKiB: 64, iterations: 1)
        func tag(_ text: String) throws -> [UInt8] {
            try Argon2.tag(of: Password(text), salt: Array("somesalt".utf8), parameters: parameters)
        }
        let fresh = try tag("lantern")
        KeptMemory.keep(bytes: parameters.memoryBytes)
        defer { KeptMemory.release() }
        #expect(try tag("another") != fresh)
        #expect(try tag("lantern") == fresh)
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
