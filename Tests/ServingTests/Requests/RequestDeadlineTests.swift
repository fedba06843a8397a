import Essentials
import Hummingbird
import Logging
import NIOEmbedded
import Synchronization
import Testing

@testable import Serving

@Suite struct RequestDeadlineTests {
    @Test func `a request has half the time of its connection, and what nobody asked for has no deadline`() async throws
    {
        let seen = Mutex<ContinuousClock.Instant?>(nil)
        let router = Router()
        router.add(middleware: RequestDeadline<BasicRequestContext>(patience: .seconds(30)))
        router.get("/") { _, _ in
            seen.withLock { $0 = Deadline.current }
            return HTTPResponse.Status.ok
        }
        let context = BasicRequestContext(
            source: ApplicationRequestContextSource(channel: EmbeddedChannel(), logger: Logger(label: "test")))
        let request = Request(
            head: HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/"),
            body: RequestBody(buffer: .init()))
        let before = ContinuousClock.now
        _ = try await router.buildResponder().respond(to: request, context: context)
        let end = try #require(seen.withLock { $0 })
        #expect(before + .seconds(15) <= end && end <= .now + .seconds(15))
        #expect(Deadline.current == nil)
    }
}
