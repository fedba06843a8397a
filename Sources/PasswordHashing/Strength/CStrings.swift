/// Texts as C's array of pointers to terminated strings, itself terminated by a null pointer.
struct CStrings {
    private let bytes: [CChar]
    private let starts: [Int]

    /// The texts must hold no NUL.
    init(_ texts: [String]) {
        var (bytes, starts): ([CChar], [Int]) = ([], [])
        for text in texts {
            starts.append(bytes.count)
            bytes += text.utf8CString
        }
        (self.bytes, self.starts) = (bytes, starts)
    }

    /// Lends the array for the duration of the call.
    func withPointers<Result>(_ body: (UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { bytes in
            var pointers = starts.map { start in bytes.baseAddress.map { $0 + start } } + [nil]
            return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress) }
        }
    }
}
