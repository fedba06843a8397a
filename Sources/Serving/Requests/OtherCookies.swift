import Essentials

extension SiteCookies {
    /// The cookies of a proxy's question that are not ours, in one line; empty without any. Ours
    /// are all names that begin as ours do on https or http, so that those of other versions are.
    package static func others(in fields: QuestionFields) -> String {
        fields.cookies.flatMap { $0.parts(by: ";") }.map(\.trimmingSpaces).filter { !$0.isEmpty && !isOurs($0) }
            .joined(separator: "; ")
    }

    private static func isOurs(_ pair: String) -> Bool {
        names.contains { pair.begins(with: $0) }
    }

    /// How all names begin, on https and on http.
    private static let names = [true, false].map { SiteCookies(isSecure: $0).site }
}
