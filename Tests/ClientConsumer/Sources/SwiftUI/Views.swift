// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The names of SwiftUI that docs/examples/ios uses, without what they do: its views are checked
// against the models where there is no SwiftUI.
@_exported import Foundation
@_exported import Observation

@MainActor public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

public struct Shown: View {
    public var body: Shown { self }

    nonisolated init() {}
}

@MainActor @resultBuilder public enum ViewBuilder {
    public static func buildExpression(_ view: some View) -> Shown { Shown() }
    public static func buildBlock(_ views: Shown...) -> Shown { Shown() }
    public static func buildEither(first view: Shown) -> Shown { view }
    public static func buildEither(second view: Shown) -> Shown { view }
    public static func buildOptional(_ view: Shown?) -> Shown { Shown() }
}

public typealias Content = @MainActor () -> Shown

public func Text(_ text: String) -> Shown { Shown() }
public func ProgressView() -> Shown { Shown() }
public func Button(_ title: String, action: @escaping @MainActor () -> Void) -> Shown { Shown() }
public func Link(_ title: String, destination: URL) -> Shown { Shown() }
public func NavigationStack(@ViewBuilder _ content: Content) -> Shown { Shown() }
public func NavigationLink(_ title: String, @ViewBuilder _ content: Content) -> Shown { Shown() }
public func ScrollView(@ViewBuilder _ content: Content) -> Shown { Shown() }
public func Group(@ViewBuilder _ content: Content) -> Shown { Shown() }
public func Toggle(_ title: String, isOn: Binding<Bool>) -> Shown { Shown() }
public func TextField(_ title: String, text: Binding<String>) -> Shown { Shown() }
public func SecureField(_ title: String, text: Binding<String>) -> Shown { Shown() }

public func VStack(alignment: HorizontalAlignment, spacing: Double?, @ViewBuilder _ content: Content) -> Shown {
    Shown()
}

public func ForEach<Value: Identifiable>(
    _ values: [Value], @ViewBuilder _ content: @MainActor (Value) -> Shown
) -> Shown {
    Shown()
}

public func ForEach<Value, ID: Hashable>(
    _ values: [Value], id: KeyPath<Value, ID>, @ViewBuilder _ content: @MainActor (Value) -> Shown
) -> Shown {
    Shown()
}
