/// The members of an object of JSON in their order, of which a name may stand there twice: name and
/// value, both as written.
package struct JSONMembers: Sendable, ExpressibleByDictionaryLiteral {
    package var list: [(name: String, value: String)]

    package init(dictionaryLiteral elements: (String, String)...) {
        list = elements.map { (name: $0, value: $1) }
    }

    /// Its value as JSON; nil takes it out.
    package subscript(_ name: String) -> String? {
        get { list.first { $0.name == name }?.value }
        set {
            let place = list.firstIndex { $0.name == name }
            if let place { list.remove(at: place) }
            if let newValue { list.insert((name, newValue), at: place ?? list.endIndex) }
        }
    }

    package var text: String { "{" + list.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}" }
}
