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

    /// Files of other kinds than a web site serves are left out. An operator's own stay as they
    /// are.
    static func contents(_ resources: Resources) throws -> [String: [UInt8]] {
        try resources.files(in: "Public").reduce(into: [:]) { contents, each in
            guard Self.type(of: each.path) != nil else { return }
            guard let bytes = try? Data(contentsOf: each.file) else { throw TemplateFault(unreadable: each.file.path) }
            // A byte order mark inside the joined style sheet would become part of a selector.
            let isMarked = each.path.ends(with: ".css") && bytes.starts(with: [0xEF, 0xBB, 0xBF])
            let file = [UInt8](isMarked ? bytes.dropFirst(3) : bytes)
            let isPart = each.path.begins(with: "css/vestibule/") || each.path.ends(with: ".js")
            contents["/" + each.path] = each.isInstalled && isPart ? StyleSheet.squeezed(file) : file
        }
    }

    /// Throws `TemplateFault`.
    package init(_ resources: Resources) throws {
        var contents = try Self.contents(resources)
        var all = SHA256()
        for (path, bytes) in contents.sorted(by: { $0.key < $1.key }) { all.update(data: Array(path.utf8) + bytes) }
        let missing = Self.needed.filter { contents[$0] == nil }
        guard missing.isEmpty else { throw TemplateFault("Public lacks \(missing.joined(separator: ", "))") }
        contents[StyleSheet.path] = StyleSheet(StyleSheet.path, in: contents).bytes
        brand = Brand(contents)
        contents[StyleSheet.path, default: []] += brand.theme.readable.utf8
        let (paths, version) = (Set(contents.keys), Base64URL.encode(all.finalize().prefix(9)))
        files = contents.reduce(into: [:]) { files, file in
            guard let type = Self.type(of: file.key) else { return }
            let bytes = StyleReferences.replaced(in: file.value, at: file.key) { named, written in
                paths.contains(named) && !written.holds("?") ? "\(written)?v=\(version)" : nil
            }
            let etag = Base64URL.encode(SHA256.hash(data: bytes).prefix(12))
            files[file.key] = File(ByteBuffer(bytes: bytes), type: type, etag: "\"\(etag)\"")
        }
        self.version = version
    }

    /// Whether there is a file of that path, which begins with a slash.
    package func holds(_ path: String) -> Bool { files[path] != nil }

    private static func type(of path: String) -> String? {
        let parts = path.parts(by: "/").last?.parts(by: ".") ?? []
        return parts.count > 1 ? parts.last.flatMap { types[String($0)] } : nil
    }

    /// Type and content of a file; nil for another path.
    func content(of path: String) -> (type: String, bytes: [UInt8])? {
        files[path].map { ($0.versioned.headers[.contentType] ?? "", Array($0.versioned.body.readableBytesView)) }
    }

    /// All of them, by the target of the requests for them.
    package var byTarget: [String: CachedResponse] {
        files.reduce(into: [:]) { all, file in
            all[file.key] = file.value.unversioned
            all["\(file.key)?v=\(version)"] = file.value.versioned
        }
    }

    /// As `response(to:path:)`, of a file whose path stands behind a prefix.
    package func response(to request: Request, under prefix: String) throws -> Response? {
        try request.uri.path.after(prefix).flatMap { try response(to: request, path: String($0)) }
    }

    /// The file of that path; nil if there is none. Throws 405.
    func response(to request: Request, path: String) throws -> Response? {
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

    package func handle(_ request: Request, context: Context, next: Next<Context>) async throws -> Response {
        guard let response = try files.response(to: request, path: request.uri.path) else {
            return try await next(request, context)
        }
        return response
    }
}

extension Resources {
    /// What doctor says of the operator's own pictures and fonts. Throws `TemplateFault`.
    package func brandFiles() throws -> BrandFiles {
        BrandFiles(try StaticFiles.contents(self))
    }
}
