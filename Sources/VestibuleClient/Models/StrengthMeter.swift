public import Observation

/// The strength of a new password, as the server sees it, a moment after somebody has stopped
/// typing.
@MainActor @Observable public final class StrengthMeter {
    /// The estimate; nil while there is none.
    public private(set) var strength: PasswordStrength?
    @ObservationIgnored private var asking: Task<Void, Never>?
    private let service: any AuthService
    private static let pause = Duration.milliseconds(350)

    init(_ service: any AuthService) {
        self.service = service
    }

    func estimate(_ password: String, email: String, name: String) {
        asking?.cancel()
        guard !password.isEmpty else { return strength = nil }
        asking = Task { [weak self, service] in
            // Asked when typing rests; what was typed in the meantime has cancelled this.
            guard (try? await Task.sleep(for: Self.pause)) != nil else { return }
            // Without an answer the meter shows nothing: the form says what is wrong when it is
            // sent.
            let estimate = try? await service.strength(of: Secret(password), email: email, name: name)
            if !Task.isCancelled { self?.strength = estimate }
        }
    }

    deinit {
        asking?.cancel()
    }
}
