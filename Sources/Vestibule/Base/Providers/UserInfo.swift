import Essentials

/// What a provider's userinfo endpoint says of a person (OpenID Connect Core section 5.3). Signed
/// answers (JWT) are not read.
struct UserInfo: Sendable, Decodable {
    private let sub: String
    private let email: IfReadable<String>?
    private let emailVerified: IfReadable<LooseBool>?
    private let name: IfReadable<String>?

    var address: EmailAddress? { email?.value.flatMap(EmailAddress.vouched) }
    var isEmailVerified: Bool { emailVerified?.value?.value ?? false }
    var displayName: String? { name?.value }

    /// Throws unless it is about `subject`, the one of the ID token, and has an address.
    static func read(_ answer: OutboundAnswer, of subject: String) throws(ProviderFault) -> UserInfo {
        guard answer.status == 200 else {
            let reason = "the userinfo endpoint answered \(answer.status)"
            throw answer.status >= 500 ? .unreachable(reason) : .rejected(reason)
        }
        guard let info: UserInfo = answer.decoded() else {
            throw .rejected("the userinfo endpoint's answer is not readable")
        }
        // Access tokens can be swapped; an ID token cannot (section 5.3.2).
        guard info.sub.isExactly(subject) else {
            throw .rejected("the userinfo endpoint's answer is about somebody else")
        }
        guard info.address != nil else {
            throw .rejected("no email address in the ID token, nor at the userinfo endpoint")
        }
        return info
    }
}
