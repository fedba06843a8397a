import Essentials
import Logging

extension Audit {
    /// A sign-in through a provider that did not work out, with its reason.
    func log(_ fault: ProviderFault, provider: String, visitor: Visitor) {
        let event =
            switch fault {
            case .unreachable: "authn_provider_unavailable"
            case .rejected: "authn_provider_rejected"
            }
        write(
            .warning, event, from: visitor.client.description,
            ["provider": "\(provider)", "reason": "\(fault.reason)", "request_id": "\(visitor.requestID)"]
        )
    }
}
