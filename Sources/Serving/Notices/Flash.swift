/// What a redirect has to say: the next page says it once, and shows what belongs to it.
package struct Flash: Sendable, Equatable, Codable {
    package let notice: Notice
    /// What the sentence is filled with.
    let values: [String: String]
    /// Sentences that follow the notice's own.
    let details: [Detail]
    /// Whether the page offers to end the other sessions. Nil stands for no.
    let offersToEndOthers: Bool?

    /// A sentence by its key in the locales, and what it is filled with.
    package struct Detail: Sendable, Equatable, Codable {
        let key: String
        let values: [String: String]

        package init(key: String, values: [String: String]) {
            self.key = key
            self.values = values
        }
    }

    package init(
        _ notice: Notice, values: [String: String] = [:], details: [Detail] = [], offersToEndOthers: Bool = false
    ) {
        self.offersToEndOthers = offersToEndOthers ? true : nil
        self.notice = notice
        self.values = values
        self.details = details
    }
}
