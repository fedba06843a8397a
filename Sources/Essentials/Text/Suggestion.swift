/// What somebody who mistyped a name may have meant.
package enum Suggestion {
    /// The candidate that one would come to by typing on, or else the one with the fewest letters
    /// to change; nil when none is near.
    package static func nearest(to name: String, among candidates: [String]) -> String? {
        let begun = candidates.filter { $0.utf8.starts(with: name.utf8) || name.utf8.starts(with: $0.utf8) }
        if let shortest = begun.min(by: { changes($0, name) < changes($1, name) }) { return shortest }
        let nearest = candidates.min { changes($0, name) < changes($1, name) }
        // The beginning that all names share does not count.
        let shared = candidates.map { common($0, candidates[0]) }.min() ?? 0
        return nearest.flatMap { changes($0, name) <= max(2, (name.utf8.count - shared) / 3) ? $0 : nil }
    }

    /// Length of the common beginning, in bytes.
    private static func common(_ left: String, _ right: String) -> Int {
        zip(left.utf8, right.utf8).prefix { $0 == $1 }.count
    }

    /// Levenshtein distance in bytes.
    private static func changes(_ left: String, _ right: String) -> Int {
        let target = Array(right.utf8)
        var row = Array(0...target.count)
        for (i, a) in left.utf8.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, b) in target.enumerated() {
                let substitution = diagonal + (a == b ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(substitution, row[j] + 1, diagonal + 1)
            }
        }
        return row[target.count]
    }
}
