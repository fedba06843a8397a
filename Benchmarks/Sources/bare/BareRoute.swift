import Hummingbird
import Logging

/// One Hummingbird route that answers `GET /page` with a page of a given size from memory.
enum BareRoute {
    /// Serves on 127.0.0.1 until SIGTERM.
    static func serve(port: Int, bytes: Int) async throws {
        let page = ByteBuffer(repeating: UInt8(ascii: "x"), count: bytes)
        let headers: HTTPFields = [.contentType: "text/html; charset=utf-8"]
        let router = Router()
        router.get("/page") { _, _ in
            Response(status: .ok, headers: headers, body: .init(byteBuffer: page))
        }
        var logger = Logger(label: "bare")
        logger.logLevel = .warning
        let address = BindAddress.hostname("127.0.0.1", port: port)
        try await Application(router: router, configuration: .init(address: address), logger: logger).runService()
    }
}
