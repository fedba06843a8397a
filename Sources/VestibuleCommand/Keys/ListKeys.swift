import ArgumentParser
import Vestibule

/// `vestibule keys list`
struct ListKeys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the keys that sign assertions, in the order in which they sign.",
        discussion: "There is none before the first assertion or the first look at /.well-known/jwks.json."
    )

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        try await OperatorSession.open(options.common) { session in
            var listing = Listing<KeyRow>(json: options.json)
            try listing.add(try await session.keyRotation().list().map(KeyRow.init))
        }
    }
}
