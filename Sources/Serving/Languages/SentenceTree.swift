import Essentials

/// Sentences by dotted keys as the nested objects of a language file.
enum SentenceTree {
    /// `["a.b": "c"]` as `["a": ["b": "c"]]`.
    static func nested(_ flat: [String: String]) -> Values {
        var tree: Values = [:]
        for (key, sentence) in flat { insert(sentence, at: key.parts(by: ".")[...], into: &tree) }
        return tree
    }

    private static func insert(_ sentence: String, at path: ArraySlice<Substring>, into tree: inout Values) {
        guard let first = path.first.map(String.init) else { return }
        guard path.count > 1 else { return tree[first] = sentence }
        var branch = tree[first] as? Values ?? [:]
        insert(sentence, at: path.dropFirst(), into: &branch)
        tree[first] = branch
    }
}
