import Foundation

/// What the server is compared with: the library under each of its figures, with nothing around it.
@main
enum Bare {
    static func main() async throws {
        let words = CommandLine.arguments.dropFirst()
        let numbers = words.dropFirst().compactMap(Int.init)
        switch (words.first, numbers.count) {
        case ("route", 2): try await BareRoute.serve(port: numbers[0], bytes: numbers[1])
        case ("argon2", 2): printWork(BareArgon2.measure(threads: numbers[0], seconds: numbers[1]))
        default:
            FileHandle.standardError.write(Data("usage: bare route PORT BYTES | bare argon2 THREADS SECONDS\n".utf8))
            exit(64)
        }
    }

    /// Hashes per second, and processor milliseconds per hash.
    private static func printWork(_ work: BareArgon2.Work) {
        print(work.hashesPerSecond, 1000 * work.processorSeconds / Double(work.hashes))
    }
}
