import Essentials

/// Sentences by dotted keys as the nested objects of a language file.
enum SentenceTree {
    /// `["a.b": "c"]` as `["a": ["b": "c"]]`.
    static func nested(_ flat: [String: String]) -> Values {
        nested(flat.map { (path: $0.key.parts(by: ".")[...], sentence: $0.value) })
    }

    /// Where one path begins another, the sentence of the shorter one is left out.
    private static func nested(_ sentences: [(path: ArraySlice<Substring>, sentence: String)]) -> Values {
        Dictionary(grouping: sentences) { String($0.path[$0.path.startIndex]) }.mapValues { branch in
            if branch.count == 1, branch[0].path.count == 1 { return branch[0].sentence }
            return nested(branch.filter { $0.path.count > 1 }.map { ($0.path.dropFirst(), $0.sentence) })
        }
    }
}
