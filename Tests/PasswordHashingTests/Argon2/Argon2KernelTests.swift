import TestSupport
import Testing

@testable import Bytes
@testable import PasswordHashing

@Suite("Argon2id kernel")
struct Argon2KernelTests {
    private let parameters = Argon2Parameters(memoryKiB: 256, iterations: 2)
    private let salt = Array("somesalt".utf8)

    @Test(arguments: Argon2Kernel.runningHere.map(\.name))
    func `the tag is the one of the reference implementation's test vector`(name: String) throws {
        let kernel = try #require(Argon2Kernel.runningHere.first { $0.name == name })
        let tag = try #require(kernel.hash(Password("password"), salt, parameters, 32))
        #expect(tag.prefix(4) == [0x9D, 0xFE, 0xB9, 0x10])
        #expect(try tag == Argon2.tag(of: Password("password"), salt: salt, parameters: parameters))
    }

    @Test func `what is not a kernel's goes to libargon2`() throws {
        let kernel = Argon2Kernel.runningHere.first
        let lanes = Argon2Parameters(memoryKiB: 512, iterations: 3, parallelism: 4)
        #expect(kernel?.hash(Password("password"), salt, lanes, 32) == nil)
        #expect(kernel?.hash(Password("password"), [1, 2, 3], parameters, 32) == nil)
        #expect(throws: Argon2.Failure.self) {
            try Argon2.tag(of: Password("password"), salt: [1, 2, 3], parameters: parameters, kernel: kernel)
        }
        // Of the argon2 command.
        let phc = "$argon2id$v=19$m=512,t=3,p=4$c29tZXNhbHRzb21lc2FsdA$W8SYtez2SqzCdoh+4xw8a/6PVFreYo+Ep8eWH5CLSI8"
        let parts = try #require(PasswordHash(phc: phc).parts)
        let tag = try Argon2.tag(of: Password("password"), salt: parts.salt, parameters: lanes, kernel: kernel)
        #expect(tag == parts.tag)
    }

    @Test(arguments: [0, 31]) func `a kernel with one wrong bit in a tag fails the check`(byte: Int) throws {
        let check = KernelCheck(parameters: parameters)
        #expect(try !check.passes(broken("broken") { _ in byte }))
        #expect(try check.passes(broken("whole") { _ in nil }))
    }

    @Test func `a kernel that is wrong with the parameters of today alone fails the check`() throws {
        let today = Argon2Parameters(memoryKiB: 1024, iterations: 4)
        let kernel = broken("broken") { $0 == today ? 7 : nil }
        #expect(try !KernelCheck(parameters: today).passes(kernel))
        #expect(try KernelCheck(parameters: parameters).passes(kernel))
    }

    @Test func `a kernel that computes nothing fails the check`() throws {
        #expect(try !KernelCheck(parameters: parameters).passes(Argon2Kernel(name: "none") { _, _, _, _ in nil }))
    }

    @Test func `a broken kernel is logged as an error and the next one hashes`() {
        let (log, choice) = (LogRecorder(), KernelChoice())
        #expect(choice.kernel == nil)
        choice.choose(
            among: [broken("bad") { _ in 0 }, broken("good") { _ in nil }], check: KernelCheck(parameters: parameters),
            logger: log.logger)
        #expect(choice.kernel?.name == "good")
        #expect(log.lines(of: "argon2_kernel_differs").first?.hasPrefix("error ") == true)
        #expect(log.lines(of: "argon2_kernel").first?.contains("kernel=good") == true)
    }

    @Test func `with broken kernels alone libargon2 hashes`() {
        let (log, choice) = (LogRecorder(), KernelChoice())
        choice.choose(
            among: [broken("bad") { _ in 0 }], check: KernelCheck(parameters: parameters), logger: log.logger)
        #expect(choice.kernel == nil)
        #expect(log.lines(of: "argon2_kernel").first?.contains("kernel=libargon2") == true)
    }

    /// libargon2 with a bit turned in the byte that `wrong` names.
    private func broken(_ name: String, wrong: @escaping @Sendable (Argon2Parameters) -> Int?) -> Argon2Kernel {
        Argon2Kernel(name: name) { password, salt, parameters, bytes in
            var tag = try? Argon2.tag(of: password, salt: salt, parameters: parameters, bytes: bytes)
            if let byte = wrong(parameters) { tag?[byte] ^= 1 }
            return tag
        }
    }
}
