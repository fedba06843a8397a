import Crypto
import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

struct TOTPTests {
    /// Of RFC 6238, appendix B.
    private let key = TOTPKey(bytes: Array("12345678901234567890".utf8))

    /// RFC 6238, appendix B, SHA-1: the last six of eight digits.
    @Test(arguments: [
        (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
        (2_000_000_000, "279037"), (20_000_000_000, "353130"),
    ])
    func `codes are those of the RFC`(seconds: Int, code: String) {
        let now = Date(timeIntervalSince1970: TimeInterval(seconds))
        #expect(String(decoding: key.code(step: TOTP.step(at: now)), as: UTF8.self) == code)
        #expect(TOTP.step(of: code, key, after: nil, now: now) == Int64(seconds / 30))
    }

    /// RFC 4226, appendix D.
    @Test func `the first ten counters are those of HOTP`() {
        let codes = (0..<10).map { String(decoding: key.code(step: $0), as: UTF8.self) }
        let expected = [
            "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489",
        ]
        #expect(codes == expected)
    }

    @Test func `a clock may be one step fast or slow, not two`() {
        let now = Date(timeIntervalSince1970: 1_111_111_109)
        let current = TOTP.step(at: now)
        for (offset, isRight) in [(-2, false), (-1, true), (0, true), (1, true), (2, false)] {
            let step = current + Int64(offset)
            let found = TOTP.step(of: code(step), key, after: nil, now: now)
            #expect(found == (isRight ? step : nil), "\(offset)")
        }
    }

    @Test func `a step that was used works no more, nor one before it`() {
        let now = Date(timeIntervalSince1970: 1_111_111_109)
        let current = TOTP.step(at: now)
        #expect(TOTP.step(of: code(current), key, after: current, now: now) == nil)
        #expect(TOTP.step(of: code(current - 1), key, after: current, now: now) == nil)
        #expect(TOTP.step(of: code(current + 1), key, after: current, now: now) == current + 1)
    }

    @Test(arguments: ["050 471", "٠٥٠٤٧١", " 050-471\u{200F}"])
    func `spaces are ignored and digits of every script are read`(typed: String) {
        #expect(TOTP.step(of: typed, key, after: nil, now: Date(timeIntervalSince1970: 1_111_111_111)) != nil)
    }

    @Test(arguments: ["", "05047", "0504711", "05047a", "050472", "000000"])
    func `anything else is wrong`(typed: String) {
        #expect(TOTP.step(of: typed, key, after: nil, now: Date(timeIntervalSince1970: 1_111_111_111)) == nil)
    }

    @Test func `the verifier opens a key for its account only`() throws {
        let secret = SecretKey(current: SymmetricKey(size: .bits256))
        let now = Date(timeIntervalSince1970: 59)
        let verifier = TOTPKind(key: secret) { now }
        func use(_ last: Int64, of accountID: AccountID) throws -> FactorUse? {
            let sealed = try secret.seal(key.bytes, for: SecondFactor.totp.sealing("a"))
            let totp = FactorKey(.totp, sealed: sealed, counter: last, createdAt: now)
            return try verifier.use(
                .code("287082"), of: AccountFactors(keys: [totp]), accountID: accountID, visitor: .unknown)
        }
        guard case .counter(1, of: .totp, madeAt: now) = try use(0, of: "a") else {
            Issue.record("the code is right")
            return
        }
        #expect(throws: (any Error).self) { try use(0, of: "b") }
        #expect(try use(1, of: "a") == nil)
        #expect(try verifier.use(.code("287082"), of: AccountFactors(), accountID: "a", visitor: .unknown) == nil)
    }

    @Test func `a key is twenty bytes, typed in groups of four, and not printable`() {
        let fresh = TOTPKey(from: .system)
        #expect(fresh.bytes.count == 20 && fresh != TOTPKey(from: .system))
        #expect(key.grouped == "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ")
        #expect("\(fresh)" == "•••")
    }

    @Test func `the URI has a label of brand and address, and nothing breaks out of it`() {
        let email: EmailAddress = "ada+x&y@exämple.com"
        let uri = OTPAuthURI(issuer: "Köln: A&B #1?", email: email, key: key).text
        let name = "K%C3%B6ln%20A%26B%20%231%3F"
        #expect(
            uri == "otpauth://totp/\(name):ada%2Bx%26y%40ex%C3%A4mple.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
                + "&issuer=\(name)&algorithm=SHA1&digits=6&period=30")
    }

    private func code(_ step: Int64) -> String {
        String(decoding: key.code(step: step), as: UTF8.self)
    }
}
