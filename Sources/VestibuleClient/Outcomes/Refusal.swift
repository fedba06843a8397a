public import Foundation

/// The server's no to a call.
public struct Refusal: Error, Sendable, Hashable {
    /// What went wrong, for programs. One that this version does not know is `unknown`.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// Address or password is wrong; of a passkey: it cannot be used here.
        case invalidCredentials = "invalid_credentials"
        /// Too many attempts; see `retryAfter` and `isFlowEnded`.
        case rateLimited = "rate_limited"
        /// A second factor must be added first. Of a sign-in it is no refusal but an outcome.
        case secondFactorRequired = "second_factor_required"
        /// The code is wrong, has expired or was used, or its flow has ended.
        case otpIncorrect = "otp_incorrect"
        /// There is an account with that address; told only to somebody who proved the mailbox.
        case duplicateEmail = "duplicate_email"
        /// See `fields`.
        case validationFailed = "validation_failed"
        /// There is no session, or none any more.
        case sessionExpired = "session_expired"
        /// The current password, or one of `methods`, is to be given once more.
        case reauthenticationRequired = "reauthentication_required"
        /// The terms have changed: `acceptTerms` comes first.
        case termsRequired = "terms_required"
        /// The provider's word or the nonce was not believed.
        case providerRejected = "provider_rejected"
        /// Not at the moment: the server is busy, or makes no new accounts.
        case unavailable
        /// Anything else.
        case unknown
    }

    /// What went wrong, for programs.
    public let code: Code
    /// One English sentence for people.
    public let sentence: String
    /// The HTTP status (RFC 9110).
    public let status: Int
    /// What is wrong with single fields.
    public let fields: [FieldError]
    /// Seconds after which to try again, at most a day, where the server says so.
    public let retryAfter: Int?
    /// Whether no try is left: another code, or another sign-in, is needed.
    public let isFlowEnded: Bool
    /// What proves a second factor, the strongest first; empty if the password is wanted.
    public let methods: [SecondFactorMethod]
    /// The handle of a sign-in that waits for its second step.
    let flow: Secret?

    /// A refusal for previews and tests.
    public init(
        _ code: Code, _ sentence: String, status: Int = 422, fields: [FieldError] = [], retryAfter: Int? = nil,
        isFlowEnded: Bool = false, methods: [SecondFactorMethod] = []
    ) {
        (self.code, self.sentence, self.status, self.fields) = (code, sentence, status, fields)
        (self.retryAfter, self.isFlowEnded, self.methods, flow) = (retryAfter, isFlowEnded, methods, nil)
    }
}

extension Refusal: LocalizedError {
    /// The sentence for people.
    public var errorDescription: String? { sentence }
}

/// What is wrong with one field.
public struct FieldError: Sendable, Hashable, Codable {
    /// The field's name in the call, such as `email`.
    public let field: String
    /// Why, for programs: `missing`, `invalid`, `too_short`, `guessable` and so on.
    public let code: String
    /// One English sentence for people.
    public let detail: String

    /// An error for previews and tests.
    public init(field: String, code: String, detail: String) {
        (self.field, self.code, self.detail) = (field, code, detail)
    }
}
