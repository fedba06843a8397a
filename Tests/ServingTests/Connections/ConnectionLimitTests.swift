import HummingbirdCore
import Logging
import Testing

@testable import Serving

struct ConnectionLimitTests {
    @Test func `as many are accepted as files may be open, but for some`() {
        var limit = ConnectionLimit(filesAtMost: 164, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        for _ in 0..<100 {
            #expect(limit.isAcceptingNewConnections())
            limit.connectionOpened()
        }
        #expect(!limit.isAcceptingNewConnections())
        limit.connectionClosed()
        #expect(limit.isAcceptingNewConnections())
    }
}
