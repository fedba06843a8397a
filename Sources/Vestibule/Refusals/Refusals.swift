/// Everything that is wrong with one form, in the order of its fields.
package struct Refusals: Error, Sendable, Equatable {
    package let all: [Refusal]

    package init(_ all: [Refusal]) {
        self.all = all
    }
}
