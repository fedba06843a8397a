import Foundation

/// What the server's pages are compared with: a route of the same framework with nothing around it.
@main
enum Bare {
    static func main() async throws {
        let words = CommandLine.arguments.dropFirst()
        let numbers = words.dropFirst().compactMap(Int.init)
        guard words.first == "route", numbers.count == 2 else {
            FileHandle.standardError.write(Data("usage: bare route PORT BYTES\n".utf8))
            exit(64)
        }
        try await BareRoute.serve(port: numbers[0], bytes: numbers[1])
    }
}
