import Essentials
import HTTPTypes
import Testing

@testable import Serving

struct SiteCookiesTests {
    private static let kind = SiteCookies.Kind.language

    private static func value(_ lines: [String]) throws -> String? {
        let cookies = SiteCookies(publicURL: try #require(Origin("https://login.example")))
        var fields = HTTPFields()
        for line in lines { fields.append(HTTPField(name: .cookie, value: line)) }
        let value = cookies.value(kind, in: fields)
        #expect(cookies.value(kind, in: QuestionFields(fields)) == value)
        return value
    }

    @Test(
        arguments: [
            (["__Host-vestibule-language=de"], "de"), (["a=b; __Host-vestibule-language=de; c=d"], "de"),
            (["a=b;__Host-vestibule-language=de"], "de"), ([" \t__Host-vestibule-language=de \t; a=b"], "de"),
            (["a=b", "c=d; __Host-vestibule-language=de"], "de"), (["__Host-vestibule-language="], ""),
            (["__Host-vestibule-language=a=b"], "a=b"), ([";; ;__Host-vestibule-language=de;"], "de"),
            (["__Host-vestibule-language=de; __Host-vestibule-language=en"], "de"),
        ] as [([String], String)])
    func `the first cookie of the name counts`(lines: [String], value: String) throws {
        #expect(try Self.value(lines) == value)
    }

    @Test(arguments: [
        [], [""], ["__Host-vestibule-language"], ["__Host-vestibule-language =de"], ["__host-vestibule-language=de"],
        ["vestibule-language=de"], ["__Host-vestibule=-language=de"], ["a=__Host-vestibule-language=de"],
        ["a=b,__Host-vestibule-language=de"], ["a__Host-vestibule-language=de"], [";"],
    ])
    func `what has another name does not`(lines: [String]) throws {
        #expect(try Self.value(lines) == nil)
    }
}
