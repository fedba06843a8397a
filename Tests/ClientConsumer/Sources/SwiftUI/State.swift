// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@MainActor @propertyWrapper public struct State<Value> {
    private let value: Value
    public var wrappedValue: Value {
        get { value }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { Binding(value) }

    public init(wrappedValue: Value) {
        value = wrappedValue
    }
}

@MainActor @propertyWrapper @dynamicMemberLookup public struct Bindable<Value: AnyObject> {
    public var wrappedValue: Value
    public var projectedValue: Bindable<Value> { self }

    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }

    public subscript<Part>(dynamicMember path: ReferenceWritableKeyPath<Value, Part>) -> Binding<Part> {
        Binding(wrappedValue[keyPath: path])
    }
}

@MainActor @dynamicMemberLookup public struct Binding<Value> {
    private let value: Value

    init(_ value: Value) {
        self.value = value
    }

    public init?(_ binding: Binding<Value?>) {
        guard let value = binding.value else { return nil }
        self.value = value
    }

    public subscript<Part>(dynamicMember path: WritableKeyPath<Value, Part>) -> Binding<Part> {
        Binding<Part>(value[keyPath: path])
    }
}
