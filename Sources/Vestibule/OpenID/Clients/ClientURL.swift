import Essentials

extension String {
    /// The same URI with more in its query, in that order; what is nil is left out.
    func adding(_ parameters: KeyValuePairs<String, String?>) -> String {
        let pairs = parameters.compactMap { name, value in
            value.map { "\(name)=\($0.percentEncoded(keeping: \.isUnreserved))" }
        }
        guard !pairs.isEmpty else { return self }
        return self + (holds("?") ? "&" : "?") + pairs.joined(separator: "&")
    }
}
