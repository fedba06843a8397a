import Foundation
import Testing

@testable import Essentials

/// Language files of an operator, with the real program.
@Suite(.timeLimit(.minutes(15)))
struct LanguageFileTests {
    private let french = #"{"language": "Français", "login": {"window": "Se connecter"}}"#

    @Test func `the languages that are shipped are complete`() async throws {
        let outcome = try await Program().run("doctor")
        #expect(outcome.status == 0 && outcome.output.contains("ok   languages (en, ar, de)\n"))
        #expect(!outcome.output.contains("warn language"))
    }

    @Test func `a partial language says the rest in English, and doctor counts it`() async throws {
        let program = try Program()
        try program.write(french, to: "Templates/locales/fr.json")
        let server = try await Server(program)
        let page = try await server.send("/login?lang=fr").body
        #expect(page.contains(#"<html lang="fr" dir="ltr">"#) && page.contains("Se connecter"))
        #expect(page.contains("Email address") && !page.contains("field.email"))
        #expect(try await server.send("/").body.contains(#"lang="fr">Français</a>"#))
        #expect(await server.end(SIGTERM) == 0)
        let outcome = try await program.run("doctor")
        let line = /warn language fr: (\d+) of (\d+) sentences are missing and shown in English/
        let counted = try #require(outcome.output.firstMatch(of: line)?.output)
        #expect(outcome.status == 0)
        // All but the two above and the direction, which the code of a language tells.
        #expect(Int(counted.1) == Int(counted.2).map { $0 - 3 })
    }

    @Test func `a language brings its direction along, on pages and in mails`() async throws {
        let program = try Program()
        try program.write(#"{"language": "پښتو", "direction": "rtl"}"#, to: "Templates/locales/ps.json")
        let server = try await Server(program)
        let words = "correct+horse+battery"
        #expect(try await server.send("/login?lang=ps").body.contains(#"<html lang="ps" dir="rtl">"#))
        let form = "display_name=Ada&email=ada%40example.com&password=\(words)&password_confirmation=\(words)"
        _ = try await server.send("/signup?lang=ps", form: form + "&terms=accepted")
        _ = try await program.code(for: "ada@example.com")
        #expect(await server.end(SIGTERM) == 0)
        let mail = program.mails(to: "ada@example.com").joined().replacing("=\r\n", with: "")
        #expect(mail.contains(#"<html lang=3D"ps" dir=3D"rtl">"#))
    }

    @Test func `a sentence may name the brand`() async throws {
        let program = try Program()
        try program.write(#"{"login": {"window": "Back at [[site.brand]]"}}"#, to: "Templates/locales/en.json")
        let server = try await Server(program, environment: ["VESTIBULE_BRAND_NAME": "Fir & Birch"])
        #expect(try await server.send("/login").body.contains("<h1>Back at Fir &amp; Birch</h1>"))
        #expect(await server.end(SIGTERM) == 0)
    }

    @Test(arguments: [
        ("fr", "{\n  \"login\": {\n    \"title\": \"A\"\n    \"submit\": \"B\"\n  }\n}", "is not JSON: see line 4"),
        ("fr", "{\n", "is not JSON: see line 2"),
        ("fr", "{\n\"login\": {\"title\": 7}}", "at login.title: see line 2"),
        ("fr", "{\"login\": {\n\"title\": \"A\",\n\"title\": \"B\"}}", "has login.title twice: see line 3"),
        ("fr", "{\"direction\": \"up\"}", ", line 1: direction is ltr or rtl"),
        (
            "fr", "{\n\n\"refusal\": {\"limited\": \"{{tmie}}\"}}",
            ", line 3: {{tmie}} is no placeholder of refusal.limited"
        ),
        ("en", "{\"login\": {\"title\": \"Hi {{name}}\"}}", ", line 1: {{name}} is no placeholder of login.title"),
        ("fr", "{\"login\": {\"title\": \"{{#a}}b\"}}", "{{#a}} is no placeholder of login.title"),
        ("en", "{\"second\": {\"trust\": \"Trust {\"}}", ", line 1: second.trust ends in an open bracket"),
        ("fr", "{\"login\": {\"title\": \"[[site.nmae]]\"}}", "[[site.nmae]] is no placeholder of login.title"),
        ("fr", "{\"login\": {\"title\": \"open {{ end\"}}", "{{ is no placeholder of login.title"),
        ("fr", "{\"logn\": {\n\"title\": \"{{#x}}b\"}}", ", line 2: logn.title has tags that cannot be read"),
        ("fr", "{\"login\": \"b\"}", ", line 1: login is a group of sentences"),
        ("fr", "{\"login\": {\"title\": {\"x\": \"b\"}}}", ", line 1: login.title.x is part of a sentence"),
        ("français", "{}", ": a language file has the name of its language"),
    ])
    func `a file that would show gaps stops the start with file, line and reason`(
        code: String, json: String, reason: String
    ) async throws {
        let program = try Program()
        try program.write(json, to: "Templates/locales/\(code).json")
        let stopped = try await program.run("serve", "--port", "0")
        #expect(stopped.status == 1 && stopped.errors.contains("vestibule: error: "))
        #expect(stopped.errors.contains("/Templates/locales/\(code).json") && stopped.errors.contains(reason))
        let ill = try await program.run("doctor")
        #expect(ill.status == 1 && ill.output.contains("FAIL templates and public files: "))
        #expect(ill.output.contains(reason), "\(ill.output)")
    }

    @Test func `doctor warns of keys that no page looks up and values that are left out`() async throws {
        let program = try Program()
        let json = "{\n\"login\": {\"titel\": \"A\"},\n\"refusal\": {\"limited\": \"Non.\"}\n}"
        try program.write(json, to: "Templates/locales/fr.json")
        let outcome = try await program.run("doctor")
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("fr.json, line 2: there is no sentence login.titel, did you mean login.title?"))
        #expect(
            outcome.output.contains("fr.json, line 3: refusal.limited lacks {{time}}, which the English sentence has"))
    }

    @Test func `a name that English alone has is said to be unknown, and nothing else`() async throws {
        let program = try Program()
        try program.write(#"{"login": {"titel": "A"}}"#, to: "Templates/locales/en.json")
        let found = try await program.run("doctor").output
        let warnings = found.split(separator: "\n").filter { $0.hasPrefix("warn language") }
        #expect(warnings.count == 1 && warnings[0].contains("there is no sentence login.titel"), "\(found)")
        #expect(try await program.run("doctor", "--missing", "de").output == "{\n\n}\n")
    }

    @Test func `a form that other numbers have, too, needs the number`() async throws {
        let program = try Program()
        try program.write(#"{"time": {"hour": {"one": "x"}}}"#, to: "Templates/locales/ru.json")
        try program.write(#"{"time": {"hour": {"one": "une heure"}}}"#, to: "Templates/locales/fr.json")
        let found = try await program.run("doctor").output
        #expect(found.contains("ru.json, line 1: time.hour.one lacks {{count}}, which the English sentence has\n"))
        #expect(!found.contains("fr.json, line"), "\(found)")
    }

    @Test func `an empty sentence counts as missing, and the default's is shown`() async throws {
        let program = try Program()
        let json = #"{"login": {"window": "", "title": " "}, "app": {"after": ""}, "delete": {"word": ""}}"#
        for code in ["fr", "de"] { try program.write(json, to: "Templates/locales/\(code).json") }
        let server = try await Server(program)
        #expect(try await server.send("/login?lang=fr").body.contains("<h1>Sign in</h1>"))
        #expect(try await server.send("/login?lang=de").body.contains("<h1>Anmelden</h1>"))
        #expect(await server.end(SIGTERM) == 0)
        let found = try await program.run("doctor")
        for key in ["login.window", "login.title", "delete.word"] {
            #expect(found.output.contains("fr.json, line 1: \(key) is empty and not used\n"), "\(found.output)")
        }
        #expect(!found.output.contains("app.after") && !found.output.contains("warn language de: 3 of"))
        let left = try await program.run("doctor", "--missing", "fr").output
        #expect(left.contains("\"word\" : \"delete\"") && !left.contains("\"after\""))
    }

    @Test(arguments: [
        ("pt-BR,pt;q=0.9,en;q=0.8", "pt-br"), ("zh-Hant-TW,zh;q=0.9", "zh-Hant"), ("ZH-HANT", "zh-Hant"),
        ("zh-Hans, de;q=0.5", "de"), ("pt, de;q=0.5", "de"), ("zh-Hantx, de;q=0.5", "de"), ("de-CH-1901", "de"),
    ])
    func `a browser gets the language that is nearest to what it prefers`(header: String, code: String) async throws {
        let program = try Program()
        for code in ["pt-br", "zh-Hant"] { try program.write("{}", to: "Templates/locales/\(code).json") }
        let server = try await Server(program)
        let page = try await server.send("/login", header: "Accept-Language: \(header)").body
        #expect(page.contains("<html lang=\"\(code)\""))
        #expect(await server.end(SIGTERM) == 0)
    }

    @Test func `a file with a byte order mark is read`() async throws {
        let program = try Program()
        try program.write("\u{FEFF}" + french, to: "Templates/locales/fr.json")
        #expect(try await program.run("doctor").output.contains("ok   languages (en, ar, de, fr)\n"))
    }

    @Test func `a language has the plural forms of its grammar, and doctor asks for those`() async throws {
        let program = try Program()
        let json = """
            {"time": {"hour": {"one": "godzina", "few": "{{count}} godziny", "many": "{{count}} {{godzin}}"}}}
            """
        try program.write(json, to: "Templates/locales/pl.json")
        let ill = try await program.run("doctor")
        #expect(ill.status == 1 && ill.output.contains("{{godzin}} is no placeholder of time.hour.many"))
        try program.write(json.replacing("{{godzin}}", with: "godzin"), to: "Templates/locales/pl.json")
        try program.write(#"{"time": {"hour": {"few": "{{count}} timer"}}}"#, to: "Templates/locales/da.json")
        let well = try await program.run("doctor")
        #expect(well.status == 0 && well.output.contains("da.json, line 1: there is no sentence time.hour.few"))
        #expect(!well.output.contains("pl.json, line"))
        let left = try await program.run("doctor", "--missing", "pl")
        let tree = try JSONSerialization.jsonObject(with: Data(left.output.utf8)) as? [String: Any]
        let time = try #require(tree?["time"] as? [String: [String: String]])
        #expect(time["hour"] == ["other": "{{count}} hours"])
        #expect(time["minute"]?.keys.sorted() == ["few", "many", "one", "other"])
        #expect(time["minute"]?["few"] == "{{count}} minutes")
    }

    @Test func `doctor prints what is left to translate, and with that filled in a language is complete`() async throws
    {
        let program = try Program()
        let all = try await program.run("doctor", "--missing", "it")
        #expect(all.status == 0 && all.output.contains("\"title\" : \"Welcome back\""))
        try program.write(all.output, to: "Templates/locales/it.json")
        let well = try await program.run("doctor")
        #expect(well.status == 0 && well.output.contains("(en, ar, de, it)"))
        // Complete, and nothing of it translated.
        let warnings = well.output.split(separator: "\n").filter { $0.hasPrefix("warn language") }
        #expect(warnings.count == 2 && warnings.allSatisfy { $0.hasPrefix("warn language it: ") })
        #expect(warnings.first?.hasSuffix("it calls itself English, as en does: see language") == true)
        #expect(warnings.last?.hasSuffix("of its sentences are still the English ones") == true)
        try program.write(french, to: "Templates/locales/fr.json")
        let rest = try await program.run("doctor", "--missing", "fr")
        let json = try JSONSerialization.jsonObject(with: Data(rest.output.utf8)) as? [String: Any]
        let login = try #require(json?["login"] as? [String: Any])
        #expect(login["window"] == nil && login["submit"] as? String == "Sign in" && json?["language"] == nil)
        #expect(try await program.run("doctor", "--missing", "it").output == "{\n\n}\n")
        // A shell empties the file before the program that is to fill it starts.
        try program.write("", to: "Templates/locales/es.json")
        #expect(try await program.run("doctor", "--missing", "es").output == all.output)
        let bad = try await program.run("doctor", "--missing", "../x")
        #expect(bad.status == 1 && bad.isRefusal)
    }
}
