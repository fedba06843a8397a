/// Everything that is wrong with one form, in the order of its fields.
struct Refusals: Error, Sendable, Equatable {
    let all: [Refusal]

    init(_ all: [Refusal]) {
        self.all = all
    }
}
