import Essentials
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PasswordHashing
import Serving

/// `POST /signup/strength`: what the meter shows.
struct StrengthRoutes {
    let judge: PasswordJudge
    let web: Web

    func add(to routes: some RouterMethods<AppContext>) {
        routes.post("/signup/strength") { request, context in
            let form = try await Form(request)
            let answer = try await StrengthAnswer(judge: judge, web: web).json(
                Password(form["password"]), email: form["email"], displayName: form["display_name"], context)
            let body = ByteBuffer(bytes: try JSONEncoder().encode(answer))
            return Response(status: .ok, headers: [.contentType: "application/json"], body: .init(byteBuffer: body))
        }
    }
}
