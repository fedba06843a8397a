import Testing

@testable import Serving

@Suite struct PluralFormTests {
    /// Samples of the Unicode CLDR charts.
    @Test(arguments: [
        ("ar", PluralForm.zero, [0]), ("ar", .one, [1]), ("ar", .two, [2]), ("ar", .few, [3, 10, 103, 110, 1003]),
        ("ar", .many, [11, 26, 99, 111, 1011]), ("ar", .other, [100, 102, 200, 1000, 10_000]),
        ("en", .one, [1]), ("en", .other, [0, 2, 11, 21, 101]), ("de-AT", .one, [1]), ("de", .other, [0, 2, 100]),
        ("fr", .one, [0, 1]), ("fr", .other, [2, 17]), ("ja", .other, [0, 1, 2, 100]),
        ("cs", .one, [1]), ("cs", .few, [2, 4]), ("cs", .other, [0, 5, 22, 104]),
        ("pl", .one, [1]), ("pl", .few, [2, 4, 22, 104]), ("pl", .many, [0, 5, 12, 14, 21, 112]),
        ("hr", .one, [1, 21, 101]), ("sr", .few, [2, 24, 102]), ("bs", .other, [0, 5, 11, 12, 14, 112]),
        ("he", .one, [1]), ("he", .two, [2]), ("he", .other, [0, 3, 10, 20, 102]),
        ("sl", .one, [1, 101]), ("sl", .two, [2, 102]), ("sl", .few, [3, 4, 104]), ("sl", .other, [0, 5, 11, 21, 100]),
        ("ro", .one, [1]), ("ro", .few, [0, 2, 19, 101, 119]), ("ro", .other, [20, 35, 100, 120]),
        ("lt", .one, [1, 21, 101]), ("lt", .few, [2, 9, 22, 102]), ("lt", .other, [0, 10, 11, 12, 19, 20, 111]),
        ("lv", .zero, [0, 10, 11, 19, 20, 111]), ("lv", .one, [1, 21, 101]), ("lv", .other, [2, 9, 22, 102]),
        ("ru", .one, [1, 21, 101, 1001]), ("ru", .few, [2, 4, 23, 102]), ("ru", .many, [0, 5, 11, 14, 19, 111]),
        ("RU", .few, [2]), ("PT-br", .one, [1]),
    ])
    func `a number takes the form of the language`(code: String, form: PluralForm, counts: [Int]) {
        for count in counts { #expect(PluralForm(count, language: code) == form, "\(count)") }
        #expect(PluralForm.all(language: code).contains(form))
    }
}
