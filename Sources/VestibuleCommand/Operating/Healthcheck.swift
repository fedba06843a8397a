import ArgumentParser
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
        let answer: ReadinessProbe.Answer
        do {
            answer = try probe.ask()
        } catch {
            throw Self.failure(error, "\(settings.host):\(settings.port)")
        }
        guard answer.isReady else {
            throw CommandFailure("the server is not ready: \(answer.word)", hint: "See the server's log.")
        }
        let output = Output()
        try output.line(answer.word)
        try output.flush()
    }

    private static func failure(_ silence: ReadinessProbe.Silence, _ place: String) -> CommandFailure {
        switch silence {
        case .noServer: CommandFailure("nothing answers at \(place)", hint: "Is the server started? See its log.")
        case .late:
            CommandFailure(
                "the server at \(place) did not answer in time",
                hint: "It hangs, or waits for its database. See its log.")
        }
    }
}
