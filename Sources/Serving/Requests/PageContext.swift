package import Essentials
package import Hummingbird

/// What pages and middleware need to know of a request, whatever else the product keeps with it.
package protocol PageContext: RequestContext {
    /// The other end of the connection: a proxy, or the client itself.
    var peer: ClientAddress { get }
    /// Code of the language to answer in.
    var locale: String { get }
    /// What the page before has left to say.
    var announcement: Announcement? { get }
}

/// A flash, and what it says in the visitor's language.
package final class Announcement: Sendable {
    package let flash: Flash
    let sentence: String

    package init(flash: Flash, sentence: String) {
        self.flash = flash
        self.sentence = sentence
    }
}
