import Hummingbird
import VestibuleHummingbird
import VestibuleVerifier

@main
struct Hello {
    static func main() async throws {
        let verifier = AssertionVerifier(issuer: "http://localhost:8001", audience: "http://127.0.0.1:8000")
        let router = Router(context: VisitContext.self)
        router.add(middleware: AssertionMiddleware(verifier))
        router.get("/") { _, context in
            let visitor = try context.identity
            return "Hello, \(visitor.person?.name ?? visitor.id).\n"
        }
        try await Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 3000))
        ).runService()
    }
}
