import Foundation
import HTTPTypes
import Hummingbird

/// Everybody's own notes, in memory.
actor NoteBook {
    private var notes: [String: [String]] = [:]

    func add(_ note: String, of person: String) {
        notes[person, default: []].append(note)
    }

    func notes(of person: String) -> [String] {
        notes[person] ?? []
    }
}

/// What the middleware leaves for the routes.
struct VisitContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    var visitor: Visitor?

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
    }

    func requireVisitor() throws -> Visitor {
        guard let visitor else { throw HTTPError(.unauthorized) }
        return visitor
    }
}

@main
struct Notes {
    static func main() async throws {
        let origin = try required("NOTES_ORIGIN")
        let place = ProcessInfo.processInfo.environment["NOTES_JWKS"] ?? "\(origin)/.vestibule/jwks.json"
        guard let keys = URL(string: place) else { throw HTTPError(.internalServerError) }
        let router = Router(context: VisitContext.self)
        router.add(
            middleware: AssertionMiddleware(
                keys: KeySet(url: keys), issuer: try required("NOTES_ISSUER"), audience: origin))
        addRoutes(to: router, NoteBook())
        let port = Int(ProcessInfo.processInfo.environment["PORT"] ?? "") ?? 3000
        try await Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: port))
        ).runService()
    }

    private static func required(_ name: String) throws -> String {
        guard let value = ProcessInfo.processInfo.environment[name] else {
            throw HTTPError(.internalServerError, message: "\(name) is not set")
        }
        return value
    }

    private static func addRoutes(to router: Router<VisitContext>, _ book: NoteBook) {
        router.get("/") { _, context in
            let visitor = try context.requireVisitor()
            let page = page(visitor.name ?? visitor.sub, await book.notes(of: visitor.sub))
            return Response(
                status: .ok,
                headers: [
                    .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
                    .contentSecurityPolicy: "default-src 'none'; form-action 'self'",
                ],
                body: .init(byteBuffer: ByteBuffer(string: page)))
        }
        router.get("/api/notes") { _, context in
            let visitor = try context.requireVisitor()
            return NotesAnswer(name: visitor.name ?? "", notes: await book.notes(of: visitor.sub))
        }
        router.post("/") { request, context in
            let visitor = try context.requireVisitor()
            // Other sites on neighbouring hosts can post forms here, with the visitor's cookie.
            let site = HTTPField.Name("Sec-Fetch-Site").flatMap { request.headers[$0] }
            guard site == nil || site == "same-origin" else { throw HTTPError(.forbidden) }
            let form = try await URLEncodedFormDecoder().decode(NoteForm.self, from: request, context: context)
            await book.add(form.note, of: visitor.sub)
            return Response(status: .seeOther, headers: [.location: "/"])
        }
    }

    private static func page(_ name: String, _ notes: [String]) -> String {
        """
        <!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Notes</title>
        <h1>Hello, \(escaped(name)).</h1>
        <ul>\(notes.map { "<li>\(escaped($0))</li>" }.joined())</ul>
        <form method="post"><label>Note <input name="note" required></label> <button>Add</button></form>
        <form method="post" action="/.vestibule/logout"><button>Sign out</button></form></html>
        """
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { "&<>\"'".unicodeScalars.contains($0) ? "&#\($0.value);" : String($0) }.joined()
    }
}

struct NoteForm: Decodable {
    let note: String
}

struct NotesAnswer: ResponseEncodable {
    let name: String
    let notes: [String]
}
