import Foundation
import Testing

@testable import Essentials
@testable import Mailing

struct MessageEncodingTests {
    @Test func `a plain mail reads as it was written`() throws {
        let lines = try mail().rawLines
        for line in [
            "From: Vestibule <no-reply@door.example>", "To: ada@example.org", "Subject: Your code",
            "Date: Sat, 21 Nov 2026 06:51:33 +0000", "Message-ID: <01hxyz@door.example>", "MIME-Version: 1.0",
            "Auto-Submitted: auto-generated", "X-Auto-Response-Suppress: DR, RN, NRN, OOF, AutoReply", "Your code is",
            "482913",
            "Content-Type: text/plain; charset=utf-8", "<p>482913</p>", "Content-Type: text/html; charset=utf-8",
        ] {
            #expect(lines.filter { $0 == line }.count == 1, "\(line)")
        }
        #expect(lines.last == "")
    }

    @Test func `every line is short, ASCII and ends in CRLF`() throws {
        let words = "Grüße 👩‍👩‍👧‍👦 "
        let message = try mail(
            from: "Größe & Söhne – der Türsteher am anderen Ende der Straße, seit 1897 <a@b.example>",
            subject: String(repeating: words, count: 20),
            text: String(repeating: words, count: 50) + "\r" + String(repeating: "x", count: 500) + "\n\rz \nend\t",
            html: "<p>" + String(repeating: "ü", count: 200) + "</p>"
        )
        #expect(message.rawLines.allSatisfy { $0.utf8.count <= 76 })
        #expect(message.encoded.allSatisfy { $0 < 0x80 })
        #expect(message.rawLines.allSatisfy { !$0.contains("\r") && !$0.contains("\n") && !$0.hasSuffix(" ") })
    }

    @Test func `encoded words are short and whole`() throws {
        let lines = try mail(subject: String(repeating: "Tür👋 ", count: 30)).rawLines
        let words = lines.joined(separator: " ").split(separator: " ").filter { $0.hasPrefix("=?") }
        #expect(words.count > 3)
        for word in words {
            #expect(word.count <= 75)
            let inner = word.dropFirst("=?utf-8?q?".count).dropLast(2)
            #expect(String(inner).replacing("_", with: " ").replacing("=", with: "%").removingPercentEncoding != nil)
        }
    }

    @Test(arguments: 0...90)
    func `a code is never cut`(offset: Int) throws {
        let prefixes = [
            String(repeating: "x", count: offset) + " ", String(repeating: "ab ", count: offset),
            String(repeating: "x", count: offset) + ">", String(repeating: "ü", count: offset) + " ",
        ]
        for prefix in prefixes {
            let raw = try mail(text: "\(prefix)482913 is your code", html: "\(prefix)482913</b>").raw
            let codes = raw.matches(of: /\b\d{6}\b/)
            #expect(codes.map { String($0.output) } == ["482913", "482913"], "\(raw)")
        }
    }

    @Test(arguments: ["123456", "00000000-123456-0000", "a.123456.b", "123456@123456"])
    func `nothing but a code looks like one`(id: String) throws {
        let raw = try mail(text: "no code", html: "<p>no code</p>", id: id).raw
        #expect(!raw.contains(/\b\d{6}\b/))
    }

    @Test(arguments: [
        "Hi\r\nBcc: eve@example.org", "Hi\nBcc: eve@example.org", "Hi\rBcc: eve@example.org", "Hi\0",
        "Hi\u{2028}Bcc: x",
        "Hi\u{85}Bcc: x", "ü\r\nBcc: eve@example.org", "=?utf-8?q?Hi=0D=0ABcc:_x?=", "Hi\r\n\r\n<script>",
        String(repeating: "a ", count: 60) + "\r\nBcc: x", "\r\n .\r\n",
        "Hi\u{D4E}\r\n\u{301}Bcc: x", "Hi\u{600}\n\u{200D}Bcc: x",
    ])
    func `no subject adds a header`(subject: String) throws {
        let headers = try mail(subject: subject).rawLines.prefix { !$0.isEmpty }
        let names = headers.filter { !$0.hasPrefix(" ") }.map { $0.prefix { $0 != ":" } }
        let usual = try mail().rawLines.prefix { !$0.isEmpty }.filter { !$0.hasPrefix(" ") }.map {
            $0.prefix { $0 != ":" }
        }
        #expect(names == usual)
    }

    @Test func `no recipient adds a header`() throws {
        let lines = try mail(to: "a@b\r\nBcc: eve@example.org").rawLines
        #expect(lines.contains("To: a@bBcc: eve@example.org"))
    }

    @Test func `marks beside quotes leave a name in its quotes`() throws {
        let mail = try mail(from: "\"Doors\\\"\u{301}<eve@b>\u{20E3}, x\" <a@b.example>")
        #expect(mail.rawLines.first?.hasSuffix("?= <a@b.example>") == true && mail.encoded.allSatisfy { $0 < 0x80 })
    }

    @Test func `a name that is not a plain word is quoted or encoded`() throws {
        let quoted = try mail(from: #""Doors, \"Inc.\"" <a@b.example>"#).rawLines
        #expect(quoted.first == #"From: "Doors, \"Inc.\"" <a@b.example>"#)
        let encoded = try mail(from: "Türsteher <a@b.example>").rawLines
        #expect(encoded.first == "From: =?utf-8?q?T=C3=BCrsteher?= <a@b.example>")
    }

    @Test func `an id is in the header as logs name it`() throws {
        let lines = try mail(id: "-ab_C-9").rawLines
        #expect(lines.contains("Message-ID: <-ab_C-9@door.example>"))
        #expect(try mail(id: "a/b c").rawLines.contains("Message-ID: <a_b_c@door.example>"))
    }
}
