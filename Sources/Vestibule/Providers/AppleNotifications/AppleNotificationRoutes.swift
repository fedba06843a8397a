import Foundation
import HTTPTypes
import Hummingbird

/// `POST /auth/apple/notifications`: from server to server, so neither cookies nor forms.
struct AppleNotificationRoutes {
    let notifications: AppleNotifications
    private static let bodyLimit = 32 * 1024

    private struct Body: Decodable {
        let payload: String
    }

    func add(to routes: some RouterMethods<AppContext>) {
        let name = notifications.provider.settings.name
        routes.post("/auth/apple/notifications") { request, context in
            let body = try await request.body.collect(upTo: Self.bodyLimit)
            guard let body = try? JSONDecoder().decode(Body.self, from: Data(body.readableBytesView)) else {
                throw HTTPError(.badRequest)
            }
            do {
                try await notifications.receive(body.payload, visitor: context.visitor)
                return Response(status: .ok)
            } catch let fault as ProviderFault {
                notifications.audit.log(fault, provider: name, visitor: context.visitor)
                guard case .rejected = fault else { throw HTTPError(.serviceUnavailable) }
                throw HTTPError(.badRequest)
            }
        }
    }
}
