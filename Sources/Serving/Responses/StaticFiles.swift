import Crypto
import Essentials
import Foundation
import HTTPTypes
package import Hummingbird
import NIOCore

/// The files under `Public`, read once at start and sent from memory.
package struct StaticFiles: Sendable {
    /// Links carry the version, so what they name never changes; anyone else asks again.
    private struct File: Sendable {
        let versioned: CachedResponse
        let unversioned: CachedResponse

        init(_ body: ByteBuffer, type: String, etag: String) {
            let headers: HTTPFields = [.contentType: type, .eTag: etag]
            versioned = CachedResponse(body, headers: headers + [.cacheControl: "public, max-age=31536000, immutable"])
            unversioned = CachedResponse(body, headers: headers + [.cacheControl: "no-cache"])
        }
    }

    private let files: [String: File]
    package let brand: Brand
    /// Hash over all files; pages carry it in their links.
    package let version: String
    private static let types = [
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
        "png": "image/png", "ico": "image/x-icon", "txt": "text/plain; charset=utf-8", "woff2": "font/woff2",
        "webmanifest": "application/manifest+json",
    ]

    /// What every page links.
    private static let needed = ["/mark.svg", StyleSheet.path, "/js/vestibule.js"]

    /// Files of other kinds than a web site serves, and hidden ones, are left out. Throws
    /// `TemplateFault`.
    package init(_ resources: Resources) throws {
        var contents: [String: [UInt8]] = [:]
        var all = SHA256()
        for (path, file) in resources.files(in: "Public") {
            let isHidden = path.parts(by: "/").contains { $0.begins(with: ".") }
            guard !isHidden, Self.type(of: path) != nil else { continue }
            let bytes = [UInt8](try Data(contentsOf: file))
            all.update(data: Array(path.utf8) + bytes)
            contents["/" + path] = bytes
        }
        let missing = Self.needed.filter { contents[$0] == nil }
        guard missing.isEmpty else { throw TemplateFault("Public lacks \(missing.joined(separator: ", "))") }
        contents[StyleSheet.path] = StyleSheet(StyleSheet.path, in: contents).bytes
        files = contents.reduce(into: [:]) { files, file in
            guard let type = Self.type(of: file.key) else { return }
            let etag = Base64URL.encode(SHA256.hash(data: file.value).prefix(12))
            files[file.key] = File(ByteBuffer(bytes: file.value), type: type, etag: "\"\(etag)\"")
        }
        brand = Brand(contents)
        version = Base64URL.encode(all.finalize().prefix(9))
    }

    private static func type(of path: String) -> String? {
        types[(path as NSString).pathExtension]
    }

    /// All of them, by the target of the requests for them.
    package var byTarget: [String: CachedResponse] {
        files.reduce(into: [:]) { all, file in
            all[file.key] = file.value.unversioned
            all["\(file.key)?v=\(version)"] = file.value.versioned
        }
    }

    /// The file a request is for; nil for another path. Throws 405.
    func response(to request: Request) throws -> Response? {
        try response(to: request, path: request.uri.path)
    }

    /// The same, of a file whose path stands behind a prefix.
    package func response(to request: Request, under prefix: String) throws -> Response? {
        try request.uri.path.after(prefix).flatMap { try response(to: request, path: String($0)) }
    }

    private func response(to request: Request, path: String) throws -> Response? {
        guard let file = files[path] else { return nil }
        guard request.method == .get || request.method == .head else {
            throw HTTPError(.methodNotAllowed, headers: [.allow: "GET, HEAD"], message: nil)
        }
        let isVersioned = request.uri.query == "v=\(version)"
        let response = (isVersioned ? file.versioned : file.unversioned).response(to: request)
        return request.method == .head ? response.createHeadResponse() : response
    }
}

extension Resources {
    /// The colours of pages and mails. Throws `TemplateFault`.
    package func theme() throws -> Theme {
        try StaticFiles(self).brand.theme
    }
}

/// Answers requests for static files.
package struct StaticFilesMiddleware<Context: RequestContext>: RouterMiddleware {
    let files: StaticFiles

    package init(_ files: StaticFiles) {
        self.files = files
    }

    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let response = try files.response(to: request) else { return try await next(request, context) }
        return response
    }
}
