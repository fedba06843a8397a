public import Observation

/// A form of somebody who is not signed in, with the address that is typed once.
@MainActor @Observable public class CarriedFormModel: FormModel {
    let carried: CarriedFields

    init(_ service: any AuthService, carried: CarriedFields) {
        self.carried = carried
        super.init(service)
    }

    /// The email address. A new one ends the wait after attempts with the old one.
    public var email: String {
        get { carried.email }
        set {
            if !newValue.utf8.elementsEqual(carried.email.utf8) { wait.stop() }
            carried.email = newValue
            mend(.email)
        }
    }
}
