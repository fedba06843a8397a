import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Serving

/// `GET openapi.json`: what the API promises (OpenAPI 3.1), as written in
/// `Templates/api/openapi.json`.
struct DescriptionAPI {
    static let path = "/api/auth/openapi.json"
    private let text: ByteBuffer

    init(resources: Resources) throws {
        let files = try resources.files(in: "Templates/api")
        guard let file = files.last(where: { $0.path == "openapi.json" })?.file else {
            throw TemplateFault("Templates lacks api/openapi.json")
        }
        text = ByteBuffer(bytes: [UInt8](try Data(contentsOf: file)))
    }

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get(RouterPath(Self.path)) { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-cache"],
                body: .init(byteBuffer: text)
            )
        }
    }
}
