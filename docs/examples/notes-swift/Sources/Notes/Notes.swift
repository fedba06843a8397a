import Foundation
import HTTPTypes
import Hummingbird
import VestibuleHummingbird
import VestibuleVerifier

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

@main
struct Notes {
    static func main() async throws {
        let settings = ProcessInfo.processInfo.environment
        guard let origin = settings["NOTES_ORIGIN"], let issuer = settings["NOTES_ISSUER"] else {
            throw HTTPError(.internalServerError, message: "NOTES_ORIGIN or NOTES_ISSUER is not set")
        }
        let verifier = AssertionVerifier(
            issuer: issuer, audience: origin, keys: settings["NOTES_JWKS"].map { .address($0) })
        let router = Router(context: VisitContext.self)
        router.add(middleware: AssertionMiddleware(verifier))
        addRoutes(to: router, NoteBook(), issuer: issuer)
        let port = settings["PORT"].flatMap { Int($0) } ?? 3000
        try await Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: port))
        ).runService()
    }

    private static func addRoutes(to router: Router<VisitContext>, _ book: NoteBook, issuer: String) {
        router.get("/") { _, context in
            let visitor = try context.identity
            let page = page(visitor.person?.name ?? visitor.id, await book.notes(of: visitor.id))
            return Response(
                status: .ok,
                headers: [
                    .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
                    .contentSecurityPolicy: "default-src 'none'; form-action 'self' \(issuer)",
                ],
                body: .init(byteBuffer: ByteBuffer(string: page)))
        }
        router.get("/api/notes") { _, context in
            let visitor = try context.identity
            return NotesAnswer(name: visitor.person?.name ?? "", notes: await book.notes(of: visitor.id))
        }
        router.post("/") { request, context in
            // Other sites on neighbouring hosts can post forms here, with the visitor's cookie.
            let site = HTTPField.Name("Sec-Fetch-Site").flatMap { request.headers[$0] }
            guard site == nil || site == "same-origin" else { throw HTTPError(.forbidden) }
            let form = try await URLEncodedFormDecoder().decode(NoteForm.self, from: request, context: context)
            await book.add(form.note, of: try context.identity.id)
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
