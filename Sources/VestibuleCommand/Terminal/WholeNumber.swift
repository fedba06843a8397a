import ArgumentParser

/// Reads the whole number that an option takes, and says which there are.
enum WholeNumber {
    static func `in`(_ range: ClosedRange<Int>) -> @Sendable (String) throws -> Int {
        { text in
            guard let number = Int(text), range.contains(number) else {
                throw ValidationError("A whole number from \(range.lowerBound) to \(range.upperBound).")
            }
            return number
        }
    }
}
