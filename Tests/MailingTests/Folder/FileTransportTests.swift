import Foundation
import Testing

@testable import Essentials
@testable import Mailing

struct FileTransportTests {
    private let path = FileManager.default.temporaryDirectory.appending(path: "outbox-\(UUID().uuidString)/mail").path
    private var outbox: FileTransport { FileTransport(path: path) }

    @Test func `a mail becomes a file only its owner can read`() async throws {
        let message = try mail()
        try await outbox.send(message)
        let file = "20261121T065133.123Z-01hxyz.eml"
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [file])
        #expect(FileManager.default.contents(atPath: "\(path)/\(file)") == Data(message.encoded))
        #expect(try mode(path) == 0o700)
        #expect(try mode("\(path)/\(file)") == 0o600)
    }

    @Test func `a mail sent twice is one file`() async throws {
        for _ in 1...2 { try await outbox.send(mail()) }
        #expect(try await outbox.recent(limit: 10).count == 1)
    }

    @Test func `mails are read back as they were written, the newest first`() async throws {
        let subject = "Ihr Code für Vestibule 🚪: eine lange Zeile mit Umlauten äöüß, damit sie gefaltet werden muss"
        let text = "Grüße 👩‍👩‍👧‍👦 = ok \n\n482913\n" + String(repeating: "lang und länger ", count: 20) + "\n"
        try await outbox.send(mail(id: "a", date: Date(timeIntervalSince1970: 1_795_243_800)))
        try await outbox.send(mail(to: "jürgen@example.org", subject: subject, text: text, id: "b"))
        let stored = try await outbox.recent(limit: 10)
        try #require(stored.count == 2)
        #expect(stored.map(\.subject) == [subject, "Your code"])
        #expect(stored.map(\.to) == ["jürgen@example.org", "ada@example.org"])
        #expect(stored.first?.text == text)
        #expect(abs(stored[0].date.timeIntervalSince1970 - 1_795_243_893.123) < 0.000_5)
        #expect(try await outbox.recent(limit: 1).map(\.subject) == [subject])
    }

    @Test func `an id cannot name a file elsewhere`() async throws {
        try await outbox.send(mail(id: "../../x\0y"))
        #expect(try await outbox.recent(limit: 1).first?.file == "20261121T065133.123Z-______x_y.eml")
    }

    @Test func `no folder yet means no mails, and other files are passed over`() async throws {
        #expect(try await outbox.recent(limit: 10).isEmpty)
        try await outbox.check()
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
        try Data("hello".utf8).write(to: URL(filePath: "\(path)/notes.eml"))
        #expect(try await outbox.recent(limit: 10).isEmpty)
    }

    @Test func `a folder that cannot be is a temporary failure`() async throws {
        let blocked = FileTransport(path: "/dev/null/mail")
        let failure = await #expect(throws: MailFailure.self) { try await blocked.check() }
        #expect(failure == .temporary("cannot make the folder /dev/null/mail: Not a directory"))
        await #expect(throws: MailFailure.self) { try await blocked.send(mail()) }
        try await outbox.check()
        try Data().write(to: URL(filePath: "\(path)/file"))
        let file = FileTransport(path: "\(path)/file")
        let reason = await #expect(throws: MailFailure.self) { try await file.check() }
        #expect(reason == .temporary("cannot write to the folder \(path)/file: Not a directory"))
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
}
