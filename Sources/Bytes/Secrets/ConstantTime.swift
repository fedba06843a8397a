/// Comparison whose duration tells nothing about where two secrets differ, only whether their
/// lengths do.
package enum ConstantTime {
    /// Whether both hold the same bytes.
    package static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
