/// Which of the due mails may be taken.
package struct MailChoice: Sendable, Equatable {
    /// By `QueuedMail.domain`.
    package enum Domains: Sendable, Equatable {
        case except(Set<[UInt8]>)
        case only(Set<[UInt8]>)
    }

    package let domains: Domains
    /// Recipients, by `QueuedMail.recipient`, that get none now.
    package let notTo: Set<[UInt8]>

    package static let any = MailChoice(domains: .except([]), notTo: [])
}
