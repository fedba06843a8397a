public import Observation

/// A form of somebody who is not signed in, with the address that is typed once.
@MainActor @Observable public class CarriedFormModel: FormModel {
    let carried: CarriedFields

    init(_ service: any AuthService, carried: CarriedFields) {
        self.carried = carried
        super.init(service)
    }

    /// The email address. Another one has not to wait for attempts with the one before.
    public var email: String {
        get { carried.email }
        set {
            if !newValue.utf8.elementsEqual(carried.email.utf8) { wait.stop() }
            carried.email = newValue
            mend(.email)
        }
    }
}
