import Testing

@testable import Vestibule

struct GroupNameTests {
    @Test(arguments: ["a", "Staff", "a.b-c_9", "-", String(repeating: "g", count: 64)])
    func `letters, digits, dashes, underscores and dots make a name`(name: String) {
        #expect(GroupName(name)?.text == name)
    }

    @Test(arguments: ["", "a,b", "a b", "é", "a\u{301}", "a\n", "a\u{0}", "a/b", String(repeating: "g", count: 65)])
    func `nothing else does`(name: String) {
        #expect(GroupName(name) == nil)
    }
}
