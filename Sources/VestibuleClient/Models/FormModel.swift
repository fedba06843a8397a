public import Observation

/// What every form has: whether it is being sent, and what was wrong with it. What was typed stays.
@MainActor @Observable public class FormModel {
    /// Whether a call is under way: the button then waits.
    public var isBusy: Bool { callsUnderWay > 0 }
    private var callsUnderWay = 0
    /// What is said of the form as a whole; nil if there is nothing to say.
    public internal(set) var problem: String?
    /// What is said at single fields.
    public internal(set) var fieldErrors: [FormField: String] = [:]
    /// What has just been done, in one sentence.
    public internal(set) var notice: String?
    /// How long the form has to wait after too many attempts.
    public let wait = Countdown()
    let service: any AuthService

    init(_ service: any AuthService) {
        self.service = service
    }

    /// Whether the button may be pressed.
    public var canSubmit: Bool { !isBusy && wait.secondsLeft == 0 }

    /// Calls the service unless a call is under way, or has to wait; `wait` is what too many
    /// attempts count down. A sign-out is sent `inAnyCase`. Does nothing more when it
    /// is cancelled.
    func send(
        waiting other: Countdown? = nil, inAnyCase: Bool = false, _ call: @MainActor () async throws -> Void
    ) async {
        let wait = other ?? wait
        guard inAnyCase || (!isBusy && wait.secondsLeft == 0) else { return }
        callsUnderWay += 1
        defer { callsUnderWay -= 1 }
        (problem, notice, fieldErrors) = (nil, nil, [:])
        do {
            try await call()
        } catch is CancellationError {
        } catch let refusal as Refusal {
            if refusal.isFlowEnded { end() }
            show(refusal, wait)
        } catch let trouble as NetworkTrouble {
            problem = trouble.sentence
        } catch {
            problem = NetworkTrouble.noAnswer.sentence
        }
    }

    /// What the service answers; nil if it did not.
    func ask<Value>(
        waiting other: Countdown? = nil, _ call: @MainActor () async throws -> Value
    ) async -> Value? {
        var value: Value?
        await send(waiting: other) { value = try await call() }
        return value
    }

    /// Called when a refusal has ended the code flow or second step.
    func end() {}

    func show(_ refusal: Refusal, _ wait: Countdown) {
        for error in refusal.fields {
            guard let field = FormField(rawValue: error.field) else { continue }
            fieldErrors[field] = fieldErrors[field] ?? error.detail
        }
        // A form whose flow has ended shows no fields any more.
        if fieldErrors.isEmpty || refusal.isFlowEnded { problem = refusal.sentence }
        if !refusal.isFlowEnded, let seconds = refusal.retryAfter { wait.start(seconds: seconds) }
    }

    /// What somebody begins to mend is called wrong no more.
    func mend(_ field: FormField) {
        fieldErrors[field] = nil
        problem = nil
    }

    /// Whether both were typed alike; says so if not.
    func isRepeated(_ confirmation: String?, of password: String) -> Bool {
        guard let confirmation, !confirmation.utf8.elementsEqual(password.utf8) else { return true }
        fieldErrors = [
            .confirmation: confirmation.isEmpty ? "Repeat your password." : "The passwords don't match."
        ]
        return false
    }
}
