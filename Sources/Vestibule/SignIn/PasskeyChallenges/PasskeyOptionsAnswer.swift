import Hummingbird
import NIOCore

/// What a script hands to the browser (WebAuthn section 5.1.9 and 5.1.10).
enum PasskeyOptionsAnswer {
    /// None yet: the session must be proved once more.
    static var proofFirst: Response { Response(status: .forbidden, headers: [.cacheControl: "no-store"]) }

    static func answer(_ json: [UInt8]) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(bytes: json)))
    }
}
