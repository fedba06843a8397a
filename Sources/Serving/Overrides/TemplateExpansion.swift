import Essentials

/// A template with everything that it includes, as one text without values.
struct TemplateExpansion {
    private let outlines: [String: TemplateOutline]
    private(set) var text: [UInt8] = []
    private(set) var values: Set<String> = []
    /// The template itself and all that it includes, by their paths.
    private(set) var parts: Set<String> = []
    private var blocks: Set<String> = []
    private var filled: Set<String> = []
    /// Deeper than any template is; one that includes itself ends here.
    private static let deepest = 40

    init(_ name: String, of outlines: [String: TemplateOutline]) {
        self.outlines = outlines
        include(name, filling: [:], depth: 0)
    }

    /// Blocks that are filled in and that no template of them has: what stands there is not shown.
    var lostBlocks: Set<String> { filled.subtracting(blocks) }

    private mutating func include(_ name: String, filling: [String: [TemplateOutline.Node]], depth: Int) {
        let path = TemplateOutline.path(name)
        guard depth < Self.deepest, let outline = outlines[path] else { return }
        parts.insert(path)
        add(outline.nodes, filling: filling, depth: depth + 1)
    }

    private mutating func add(
        _ nodes: [TemplateOutline.Node], filling: [String: [TemplateOutline.Node]], depth: Int
    ) {
        guard depth < Self.deepest else { return }
        for node in nodes {
            switch node {
            case .text(let bytes): text += bytes
            case .value(let name): values.insert(name)
            case .sentence: continue
            case .include(let name): include(name, filling: filling, depth: depth)
            case .parent(let name, let own):
                filled.formUnion(own.keys)
                // What an inheriting template fills in goes before what this one does.
                include(name, filling: own.merging(filling) { $1 }, depth: depth)
            case .block(let name, let standard):
                blocks.insert(name)
                add(filling[name] ?? standard, filling: filling, depth: depth + 1)
            }
        }
    }
}
