import Hummingbird
import NIOCore

/// What a script hands to the browser (WebAuthn section 5.1.9 and 5.1.10).
enum PasskeyOptionsAnswer {
    /// None: the script sends the form as it is, whose answer asks for a proof or says why not.
    static var formFirst: Response { Response(status: .forbidden, headers: [.cacheControl: "no-store"]) }

    static func answer(_ json: [UInt8]) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(bytes: json)))
    }
}
