import Testing

@testable import PasswordHashing

struct PriorityQueueTests {
    private func drain(_ line: inout PriorityQueue<String>) -> [String] {
        var entries: [String] = []
        while let entry = line.next() { entries.append(entry) }
        return entries
    }

    @Test func `known browsers take three turns for one of the others`() {
        var line = PriorityQueue<String>(limit: 99)
        for number in 1...3 { _ = line.join("o\(number)", client: "o\(number)", isKnown: false) }
        for number in 1...7 { _ = line.join("k\(number)", client: "k\(number)", isKnown: true) }
        #expect(drain(&line) == ["k1", "k2", "k3", "o1", "k4", "k5", "k6", "o2", "k7", "o3"])
    }

    @Test func `a known browser finds a place in a line that others have filled, one each`() {
        var line = PriorityQueue<String>(limit: 4)
        for number in 1...4 { _ = line.join("o\(number)", client: "o\(number)", isKnown: false) }
        guard case .displaced = line.join("k1", client: "k1", isKnown: true) else {
            Issue.record("no place for a known browser")
            return
        }
        #expect(line.count == 4 && line.next() == "k1")
    }

    @Test func `known browsers leave the others a quarter of the places`() {
        var line = PriorityQueue<String>(limit: 8)
        for number in 1...9 { _ = line.join("k\(number)", client: "k\(number)", isKnown: true) }
        #expect(line.count == 6)
        for number in 1...9 { _ = line.join("o\(number)", client: "o\(number)", isKnown: false) }
        #expect(line.count == 8)
        guard case .refused = line.join("k", client: "k", isKnown: true) else {
            Issue.record("took a place of the others")
            return
        }
    }

    @Test func `who leaves is found in either lane`() {
        var line = PriorityQueue<String>(limit: 4)
        _ = line.join("k", client: "same", isKnown: true)
        _ = line.join("o", client: "same", isKnown: false)
        #expect(line.remove(client: "same") { $0 == "o" } == "o")
        #expect(line.remove(client: "same") { $0 == "k" } == "k")
        #expect(line.count == 0)
    }
}
