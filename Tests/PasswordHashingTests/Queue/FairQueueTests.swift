import Testing

@testable import Bytes
@testable import PasswordHashing

@Suite("Fair line")
struct FairQueueTests {
    @Test func `clients take turns, each with its oldest entry`() {
        var line = FairQueue<String>(limit: 9)
        for entry in ["a1", "a2", "a3", "b1", "c1", "c2"] { _ = line.join(entry, client: String(entry.prefix(1))) }
        #expect(drain(&line) == ["a1", "b1", "c1", "a2", "c2", "a3"])
    }

    @Test func `a client that comes back waits behind the others`() {
        var line = FairQueue<String>(limit: 9)
        for entry in ["a1", "b1", "b2"] { _ = line.join(entry, client: String(entry.prefix(1))) }
        #expect(line.next() == "a1")
        _ = line.join("a2", client: "a")
        #expect(drain(&line) == ["b1", "a2", "b2"])
    }

    @Test func `in a full line a newcomer takes the newest place of the client that holds most`() {
        var line = FairQueue<String>(limit: 4)
        for entry in ["b1", "a1", "a2", "a3"] { _ = line.join(entry, client: String(entry.prefix(1))) }
        guard case .displaced("a3") = line.join("c1", client: "c") else {
            Issue.record("nobody made room")
            return
        }
        #expect(line.count == 4)
        #expect(drain(&line) == ["b1", "a1", "c1", "a2"])
    }

    @Test func `the client that holds most is refused in a full line`() {
        var line = FairQueue<String>(limit: 3)
        for entry in ["a1", "a2", "b1"] { _ = line.join(entry, client: String(entry.prefix(1))) }
        guard case .refused = line.join("a3", client: "a") else {
            Issue.record("the greediest got in")
            return
        }
        #expect(drain(&line) == ["a1", "b1", "a2"])
    }

    @Test func `nobody is sent away for someone who would then hold as much`() {
        var line = FairQueue<String>(limit: 2)
        for entry in ["a1", "b1"] { _ = line.join(entry, client: String(entry.prefix(1))) }
        guard case .refused = line.join("c1", client: "c") else {
            Issue.record("an only place was taken away")
            return
        }
    }

    @Test func `who leaves the line loses the turn`() {
        var line = FairQueue<String>(limit: 9)
        for entry in ["a1", "b1"] { _ = line.join(entry, client: String(entry.prefix(1))) }
        #expect(line.remove(client: "a") { $0 == "a1" } == "a1")
        #expect(line.remove(client: "a") { $0 == "a1" } == nil)
        #expect(line.count == 1)
        #expect(drain(&line) == ["b1"])
    }

    private func drain(_ line: inout FairQueue<String>) -> [String] {
        var entries: [String] = []
        while let entry = line.next() { entries.append(entry) }
        return entries
    }
}
