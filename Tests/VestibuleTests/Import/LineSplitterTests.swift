import Testing

@testable import Essentials
@testable import Vestibule

@Suite("Line splitter")
struct LineSplitterTests {
    private func lines(_ bytes: [UInt8], pieceBytes: Int) -> [LineSplitter.Line] {
        var splitter = LineSplitter()
        let starts = stride(from: 0, to: bytes.count, by: pieceBytes)
        let lines = starts.flatMap { splitter.split(Array(bytes[$0...].prefix(pieceBytes))) }
        return lines + (splitter.finish().map { [$0] } ?? [])
    }

    @Test(arguments: [1, 2, 3, 5, 100])
    func `lines are the same whatever pieces they come in`(pieceBytes: Int) {
        let found = lines(Array("\u{FEFF}ab\n\ncd\r\n\u{FEFF}e".utf8), pieceBytes: pieceBytes)
        #expect(found.map(\.number) == [1, 2, 3, 4])
        #expect(found.map { $0.bytes.map { String(decoding: $0, as: UTF8.self) } } == ["ab", "", "cd\r", "\u{FEFF}e"])
    }

    @Test func `nothing has no lines, and an end makes no line after it`() {
        #expect(lines([], pieceBytes: 9).isEmpty)
        #expect(lines(Array("a\n".utf8), pieceBytes: 9).count == 1)
    }

    @Test func `a line that is too long is not kept, and the next one is whole`() {
        let most = LineSplitter.maximumBytes
        let long = [most, most + 1, 3 * most].map { String(repeating: "x", count: $0) + "\n" }
        let file = Array((long.joined() + "y").utf8)
        for pieceBytes in [1000, most, file.count] {
            #expect(lines(file, pieceBytes: pieceBytes).map { $0.bytes?.count } == [most, nil, nil, 1])
        }
    }
}
