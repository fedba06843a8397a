import Testing
import VerifierSupport

/// One change to a good assertion, or to what it is verified with, and why it is refused then.
struct BadToken: Sendable, CustomTestStringConvertible {
    /// What is wrong with it.
    let testDescription: String
    let reason: String
    let change: @Sendable (inout Specimen) -> Void

    init(_ sentence: String, _ reason: String, _ change: @escaping @Sendable (inout Specimen) -> Void) {
        (testDescription, self.reason, self.change) = (sentence, reason, change)
    }

    static let all = spellings + headers + signatures + keys + values + types + missing
}
