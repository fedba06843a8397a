/// A template with everything that it includes, as one text without values.
struct TemplateExpansion {
    private let outlines: [String: TemplateOutline]
    private(set) var text: [UInt8] = []
    private(set) var values: Set<String> = []
    /// The template itself and all that it includes, by their paths.
    private(set) var parts: Set<String> = []
    private var blocks: Set<String> = []
    private var filled: Set<String> = []
    /// The include cycle, if there is one: names from one template back to itself.
    private(set) var circle: [String]?
    /// The templates and blocks being added, outermost first.
    private var chain: [String] = []

    init(_ name: String, of outlines: [String: TemplateOutline]) {
        self.outlines = outlines
        include(name, filling: [:])
    }

    /// Blocks that are filled in and that no template of them has: what stands there is not shown.
    var lostBlocks: Set<String> { filled.subtracting(blocks) }

    private mutating func include(_ name: String, filling: [String: [TemplateOutline.Node]]) {
        let path = TemplateOutline.path(name)
        guard let outline = outlines[path] else { return }
        parts.insert(path)
        add(outline.nodes, as: path, filling: filling)
    }

    /// Adds what stands in a template, or in a block that is filled in.
    private mutating func add(
        _ nodes: [TemplateOutline.Node], as name: String, filling: [String: [TemplateOutline.Node]]
    ) {
        if let start = chain.firstIndex(of: name) {
            circle = circle ?? chain[start...] + [name]
            return
        }
        chain.append(name)
        add(nodes, filling: filling)
        chain.removeLast()
    }

    private mutating func add(_ nodes: [TemplateOutline.Node], filling: [String: [TemplateOutline.Node]]) {
        for node in nodes {
            switch node {
            case .text(let bytes): text += bytes
            case .value(let name): values.insert(name)
            case .sentence: continue
            case .include(let name): include(name, filling: filling)
            case .parent(let name, let own):
                filled.formUnion(own.keys)
                // What an inheriting template fills in goes before what this one does.
                include(name, filling: own.merging(filling) { $1 })
            case .block(let name, let standard):
                blocks.insert(name)
                if let own = filling[name] {
                    add(own, as: "{{$\(name)}}", filling: filling)
                } else {
                    add(standard, filling: filling)
                }
            }
        }
    }
}
