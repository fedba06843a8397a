import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What arrived for a request: JSON, or nothing with status 204.
struct Answer: Sendable {
    let body: Data
    /// Seconds, at most a day, where the server says so.
    let retryAfter: Int?

    static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }

    /// Throws `Refusal`, and `NetworkTrouble` for what no server of ours says.
    init(_ response: HTTPURLResponse, _ body: Data) throws {
        let status = response.statusCode
        self.body = body
        let wait = response.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }
        retryAfter = wait.map { min(max(0, $0), 86_400) }
        let type = response.value(forHTTPHeaderField: "Content-Type") ?? ""
        let isJSON = ["application/json", "application/problem+json"].contains { type.utf8.starts(with: $0.utf8) }
        switch status {
        case 204: break
        case 200..<300 where isJSON: break
        case 400..<600 where isJSON:
            guard let refusal = try? Refusal(self) else { throw NetworkTrouble.strangeAnswer }
            throw refusal
        // What a proxy says that finds no server behind it.
        case 500..<600: throw NetworkTrouble.noAnswer
        default: throw NetworkTrouble.strangeAnswer
        }
    }

    func value<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        do { return try Self.decoder.decode(type, from: body) } catch { throw NetworkTrouble.strangeAnswer }
    }
}
