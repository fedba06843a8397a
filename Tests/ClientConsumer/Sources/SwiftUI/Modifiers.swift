// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public enum HorizontalAlignment { case leading }
public enum Edge { case horizontal, vertical }
public enum Color { case red, green }
public enum Trait { case isHeader }
public enum ButtonStyle { case bordered, borderedProminent }
public enum FieldStyle { case roundedBorder }
public enum Keyboard { case `default`, emailAddress }
public enum Capitals { case never }
public enum UITextContentType { case name, username, password, newPassword, oneTimeCode }

public enum Font {
    case largeTitle, headline, footnote

    public func bold() -> Font { self }
}

extension View {
    public func font(_ font: Font) -> Shown { Shown() }
    public func foregroundStyle(_ color: Color) -> Shown { Shown() }
    public func accessibilityAddTraits(_ trait: Trait) -> Shown { Shown() }
    public func accessibilityLabel(_ text: String) -> Shown { Shown() }
    public func accessibilityHint(_ text: String) -> Shown { Shown() }
    public func accessibilityHidden(_ isHidden: Bool) -> Shown { Shown() }
    public func padding(_ edge: Edge, _ length: Double) -> Shown { Shown() }
    public func frame(maxWidth: Double) -> Shown { Shown() }
    public func buttonStyle(_ style: ButtonStyle) -> Shown { Shown() }
    public func disabled(_ isDisabled: Bool) -> Shown { Shown() }
    public func textFieldStyle(_ style: FieldStyle) -> Shown { Shown() }
    public func textContentType(_ type: UITextContentType?) -> Shown { Shown() }
    public func keyboardType(_ keyboard: Keyboard) -> Shown { Shown() }
    public func textInputAutocapitalization(_ capitals: Capitals) -> Shown { Shown() }
    public func autocorrectionDisabled() -> Shown { Shown() }
    public func onAppear(_ action: @escaping @MainActor () -> Void) -> Shown { Shown() }
    public func task(_ action: @escaping @MainActor () async -> Void) -> Shown { Shown() }
}
