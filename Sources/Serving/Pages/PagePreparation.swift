import Essentials
import Foundation
package import Logging
import ServiceLifecycle

/// Makes the pages that are equal for everybody when the server has started, so that the start does
/// not wait for them.
package struct PagePreparation: Service, CustomStringConvertible {
    let pages: Pages
    let logger: Logger

    package init(pages: Pages, logger: Logger) {
        self.pages = pages
        self.logger = logger
    }

    /// For the log, which would print every template otherwise.
    package var description: String { "PagePreparation" }

    func run() async throws {
        let (pages, logger) = (pages, logger)
        // Nobody waits for it, the end of the server neither.
        BackgroundThread.start("page-preparation") {
            // Who asks at once would wait for the template that this slow thread is just reading.
            Thread.sleep(forTimeInterval: 0.25)
            do {
                try pages.prepare()
            } catch {
                logger.error("a page cannot be shown", metadata: ["error": "\(error)"])
            }
        }
        // A service that returns would end the server.
        try? await gracefulShutdown()
    }
}
