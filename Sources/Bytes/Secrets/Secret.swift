/// A value that must not be printed: descriptions, string interpolation and mirrors show `•••`.
public protocol Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Secret {
    /// Always `•••`.
    public var description: String { "•••" }
    /// Always `•••`.
    public var debugDescription: String { "•••" }
    /// Without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
