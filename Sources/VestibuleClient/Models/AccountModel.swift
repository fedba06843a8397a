public import Foundation
public import Observation

/// The account that is signed in: profile, password, address, devices, factors and data.
///
/// What needs a proof that is too old waits: `proof` says what is wanted, and `submitProof` gives
/// it and goes on.
@MainActor @Observable public final class AccountModel: FormModel {
    /// What is wanted before something may go on.
    public enum Proof: Sendable, Hashable {
        /// The current password, in `currentPassword`.
        case password
        /// A second factor, the strongest first: a code in `code`, or a passkey.
        case factor([SecondFactorMethod])
    }

    /// Who is signed in.
    public internal(set) var user: User
    /// Where the account is signed in; empty before `load`.
    public internal(set) var devices: [DeviceSession] = []
    /// Its second factors; nil before `load`.
    public internal(set) var factors: Factors?
    /// What is wanted before what was asked for goes on; nil if nothing waits.
    public internal(set) var proof: Proof? { didSet { isProved = false } }
    /// The key of an authenticator app that is being added.
    public internal(set) var setup: AuthenticatorSetup?
    /// What a new passkey is to be made for; nil before `beginPasskey` and once it was added.
    public internal(set) var newPasskey: PasskeyRequest?
    /// New recovery codes, to be shown once; empty once they were seen.
    public internal(set) var recoveryCodes: [Secret] = []
    /// Whether a code was sent to `email`.
    public internal(set) var awaitsEmailCode = false
    /// What was held about the account when it was asked for, as JSON.
    public internal(set) var exported: Data?
    /// Whether the account was erased.
    public internal(set) var isDeleted = false

    /// What the person wants to be called.
    public var name: String { didSet { mend(.name) } }
    /// A new email address.
    public var email = "" { didSet { mend(.email) } }
    /// The password as it is now.
    public var currentPassword = "" { didSet { mend(.currentPassword) } }
    /// A new password.
    public var password = "" {
        didSet {
            mend(.password)
            meter.estimate(password, email: user.email, name: user.name)
        }
    }
    /// The new password once more; nil where `Site` asks for it once.
    public var confirmation: String? = "" { didSet { mend(.confirmation) } }
    /// A code from a mail or an app, or a recovery code.
    public var code = "" { didSet { mend(.code) } }
    /// The word `delete`, typed to confirm a deletion.
    public var deletionWord = "" { didSet { mend(.deletionWord) } }
    /// How long another code has to wait.
    public let resendWait = Countdown()
    /// How long the deletion has to wait.
    public let deletionWait = Countdown()
    private let meter: StrengthMeter
    @ObservationIgnored var emailFlow: Secret?
    /// The password that `setup` was made with: adding the app asks for it again.
    @ObservationIgnored var setupPassword: Secret?
    /// The same of `newPasskey`.
    @ObservationIgnored var passkeyPassword: Secret?
    @ObservationIgnored private var waiting: (@MainActor () async throws -> Void)?
    /// Whether the factor that `proof` wants was accepted: its code works once.
    @ObservationIgnored private var isProved = false

    /// `user`: from the state of the session.
    public init(_ service: any AuthService, user: User) {
        (self.user, name, meter) = (user, user.name, StrengthMeter(service))
        super.init(service)
    }

    /// The strength of the new password; nil while it is not known.
    public var strength: PasswordStrength? { meter.strength }

    var typedPassword: Secret? { currentPassword.isEmpty ? nil : Secret(currentPassword) }

    /// Does it now, or once it was proved who asks.
    func act(
        waiting other: Countdown? = nil, _ action: @escaping @MainActor () async throws -> Void
    ) async {
        await send(waiting: other) {
            do {
                try await action()
                (waiting, proof, currentPassword) = (nil, nil, "")
            } catch let refusal as Refusal where refusal.code == .reauthenticationRequired {
                (waiting, proof) = (action, refusal.methods.isEmpty ? .password : .factor(refusal.methods))
                // What was typed is sent with what waits; the same field takes the proof.
                if !refusal.methods.isEmpty { code = "" }
                // The question itself says what is wanted, unless the answer was wrong.
                if refusal.fields.contains(where: { $0.code != "missing" }) { throw refusal }
            } catch let refusal as Refusal where !refusal.isTemporary && (isProved || !refusal.isOfPassword) {
                // To be read at the form that it is about.
                (waiting, proof) = (nil, nil)
                throw refusal
            }
        }
    }

    /// Back to the form that asks for the new address.
    override func end() {
        (emailFlow, awaitsEmailCode, code) = (nil, false, "")
    }

    /// Gives what `proof` wants, and goes on with what waits. `method` is the way chosen where a
    /// code is wanted.
    public func submitProof(_ method: SecondFactorMethod = .totp) async {
        guard let waiting, let proof else { return }
        guard case .factor = proof else { return await act(waiting) }
        await submitProof(.code(Secret(code), method))
    }

    /// Gives what a passkey has signed, and goes on with what waits.
    public func submitProof(_ credential: PasskeyCredential, for request: PasskeyRequest) async {
        await submitProof(.passkey(credential, for: request))
    }

    /// What a passkey is to sign; nil if that could not be asked for.
    public func proofRequest() async -> PasskeyRequest? {
        await ask { try await service.proofRequest() }
    }

    /// Gives up what waits for a proof.
    public func cancelProof() {
        (waiting, proof, code, problem, fieldErrors) = (nil, nil, "", nil, [:])
    }

    private func submitProof(_ factor: FactorProof) async {
        guard let waiting else { return }
        if !isProved {
            await send {
                try await service.prove(factor)
                // Not if the question was cancelled meanwhile.
                (code, isProved) = ("", proof != nil)
            }
        }
        if isProved { await act(waiting) }
    }
}

extension Refusal {
    /// Whether the same may be sent again with another password.
    fileprivate var isOfPassword: Bool { fields.contains { $0.field == FormField.currentPassword.rawValue } }
    /// Whether the same may be sent again after a while.
    fileprivate var isTemporary: Bool { retryAfter != nil && !isFlowEnded }
}
