import ArgumentParser
import Bytes
import Vestibule

/// `vestibule healthcheck`
struct Healthcheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Ask the server of these settings whether it can work.",
        discussion: """
            For a container's runtime, which finds no other program in the image. It asks for /readyz at the address \
            that the server listens on, and ends with 0 or 1 within seconds.
            """
    )

    @OptionGroup var options: CommonOptions

    func run() throws {
        let settings = try options.settings()
        let probe = ReadinessProbe(host: settings.host, port: settings.port)
        guard let answer = probe.ask() else {
            throw CommandFailure(
                "nothing answers at \(settings.host):\(settings.port)", hint: "Is the server started? See its log.")
        }
        guard answer.isReady else {
            throw CommandFailure("the server is not ready: \(answer.word)", hint: "See the server's log.")
        }
        let output = Output()
        try output.line(answer.word)
        try output.flush()
    }
}
