/// What a page or mail is filled with.
package typealias Values = [String: any Sendable]

/// A template, sentence or public file that stops the start: which one, and why.
package struct TemplateFault: Error, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
