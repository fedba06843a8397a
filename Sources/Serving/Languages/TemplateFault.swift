import Foundation

/// What a page or mail is filled with.
package typealias Values = [String: any Sendable]

/// A template, sentence or public file that stops the start: which one, and why.
package struct TemplateFault: Error, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }

    /// Of a file or folder that could not be read.
    init(unreadable path: String) {
        let reason = access(path, R_OK) == 0 ? "" : ": \(String(cString: strerror(errno)))"
        self.init("\(path) cannot be read\(reason)")
    }
}
