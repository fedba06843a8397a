import Foundation
import Testing

@testable import Essentials

struct IdentifierTests {
    @Test func `an id is plain text in JSON and in a sentence`() throws {
        let id = AccountID(rawValue: "ada")
        #expect(try JSONEncoder().encode([id]) == Data(#"["ada"]"#.utf8))
        #expect(try JSONDecoder().decode([SessionID].self, from: Data(#"["s1"]"#.utf8)) == [SessionID(rawValue: "s1")])
        #expect("account \(id)" == "account ada")
    }

    @Test func `a new id begins with a letter, so that no command takes it for an option`() {
        for first in UInt8.min...UInt8.max {
            let id = AccountID(from: Randomness { _ in [first] + Array(repeating: 0xFF, count: 15) })
            #expect(id.rawValue.utf8.count == 22 && id.rawValue.first?.isLetter == true)
        }
    }
}
