/// Whether accounts have second factors.
package enum SecondFactorPolicy: Sendable {
    /// Who has one is asked for it.
    case optional
    /// Who has none must add one after signing in.
    case required
    /// Nobody is asked, and none is offered.
    case off
}
