public import Observation

/// A form of somebody who is not signed in, with the address that is typed once.
@MainActor @Observable public class CarriedFormModel: FormModel {
    let carried: CarriedFields

    init(_ service: any AuthService, carried: CarriedFields) {
        self.carried = carried
        super.init(service)
    }

    /// The email address.
    public var email: String {
        get { carried.email }
        set {
            carried.email = newValue
            mend(.email)
        }
    }
}
