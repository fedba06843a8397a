import Crypto
import CryptoExtras
import Essentials
import Foundation

/// Signatures of ID tokens with nothing around them: how many a second on that many threads
/// together, and processor microseconds of each; a line for RS256 with a key of 2048 bits, and one
/// for ES256.
@main
enum Signatures {
    static func main() async throws {
        let words = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        guard words.count == 2 else {
            FileHandle.standardError.write(Data("usage: signatures THREADS SECONDS\n".utf8))
            exit(64)
        }
        let rsa = try RSASigner([UInt8](_RSA.Signing.PrivateKey(keySize: .bits2048).derRepresentation))
        let (curve, message) = (P256.Signing.PrivateKey(), [UInt8](repeating: 0x61, count: 700))
        try await measure(words[0], words[1]) { _ = try rsa.sign(message) }
        try await measure(words[0], words[1]) { _ = try curve.signature(for: message) }
    }

    private static func measure(
        _ threads: Int, _ seconds: Int, _ sign: @escaping @Sendable () throws -> Void
    ) async throws {
        let (end, start) = (ContinuousClock.now + .seconds(seconds), clock())
        let made = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<threads {
                group.addTask {
                    var made = 0
                    while .now < end {
                        try sign()
                        made += 1
                    }
                    return made
                }
            }
            return try await group.reduce(0, +)
        }
        // POSIX: in microseconds, of all threads.
        print(Double(made) / Double(seconds), Double(clock() - start) / Double(made))
    }
}
