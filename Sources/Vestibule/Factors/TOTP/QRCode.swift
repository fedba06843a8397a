import CQREncode

/// A QR code (ISO/IEC 18004), drawn by libqrencode.
struct QRCode: Sendable, Equatable {
    /// Modules that stay light on each side, as the standard demands.
    static let margin = 4

    /// Modules a side, without the margin.
    let size: Int
    /// Row by row.
    private let isDark: [Bool]

    /// Returns nil if libqrencode is missing, or the text is too long.
    init?(_ text: String) {
        guard Self.isReady else { return nil }
        let bytes = Array(text.utf8)
        guard let symbol = vestibule_qr_make(bytes, Int32(clamping: bytes.count)) else { return nil }
        defer { vestibule_qr_free(symbol) }
        size = Int(symbol.pointee.width)
        guard let data = symbol.pointee.data else { return nil }
        isDark = UnsafeBufferPointer(start: data, count: size * size).map { $0 & 1 == 1 }
    }

    // A static is initialized once, whichever thread comes first.
    private static let isReady = vestibule_qr_load()

    /// Modules a side, with the margin.
    var sizeWithMargin: Int { size + 2 * Self.margin }

    /// The dark modules as the `d` of an SVG path, a rectangle for each run of a row.
    var path: String {
        (0..<size).map { row in
            runs(row).map { "M\($0.lowerBound + Self.margin) \(row + Self.margin)h\($0.count)v1h-\($0.count)z" }
                .joined()
        }.joined()
    }

    /// Where a row is dark.
    private func runs(_ row: Int) -> [Range<Int>] {
        (0..<size).reduce(into: []) { runs, column in
            guard isDark[row * size + column] else { return }
            if let last = runs.last, last.upperBound == column {
                runs[runs.count - 1] = last.lowerBound..<column + 1
            } else {
                runs.append(column..<column + 1)
            }
        }
    }
}
