"""`scripts/characters` and `scripts/parts`, which `scripts/lint` calls, find what they are for and nothing else."""

import subprocess

import pytest
from house import REPOSITORY


def found(tmp_path, code: str, script: str = "characters") -> bool:
    file = tmp_path / "Some.swift"
    file.write_text(code + "\n")
    return subprocess.run([REPOSITORY / "scripts" / script, file], capture_output=True).returncode == 1


@pytest.mark.parametrize("code", [
    'let parts = line.split(separator: ",")', 'guard text.hasPrefix("[") else { return nil }',
    'let at = text.lastIndex(of: "@")', 'name.contains("\\"")', 'let text = header.lowercased()',
    'name.prefix { $0 != "@" }', 'text.trimmingCharacters(in: .whitespaces)', 'if value.first == "\\"" {',
    'file.split(whereSeparator: \\.isNewline)', 'name.allSatisfy { $0.isLetter }', 'enum Kind: Character {',
    'text.firstMatch(of: pattern)', 'text.hasPrefix("a")  // Characters: ok',
    '// Characters: two lines above it\n\ntext.hasPrefix("a")',
])
def test_text_by_character_is_found(tmp_path, code):
    assert found(tmp_path, code)


@pytest.mark.parametrize("code", [
    'let parts = line.utf8.split(separator: UInt8(ascii: ","))', 'text.unicodeScalars.contains("@")',
    'text.unicodeScalars.split(separator: ".")', 'let isDigit = (0x30...0x39).contains(byte)',
    'text.hasPrefix("a")  // Characters: the words are our own.',
    '// Characters: the words are our own.\ntext.hasPrefix("a")',
    'let sentence = "of a Character, text.hasPrefix(x)"  // Character', 'headers.first(where: { $0.name == name })',
    'line.parts(by: ",")', 'scalar.properties.isWhitespace',
])
def test_bytes_scalars_and_reasons_pass(tmp_path, code):
    assert not found(tmp_path, code)


def stored(count: int) -> str:
    return "".join(f"    package let part{number}: Int\n" for number in range(count))


def taken(count: int) -> str:
    return ", ".join(f"part{number}: Int" for number in range(count))


# Of a struct, with its brackets left out.
NINE_PARTS = {
    "its own": stored(9), "two on a line": stored(7) + "    let one, other: Int", "with a default": stored(8) + "    var last = 9",
    "written": f"    init({taken(9)}) {{}}", "on lines": f"    package init(\n        {taken(5)},\n        {taken(4)}\n    ) {{\n    }}",
    "that may fail": f"    init?({taken(9)}) {{}}", "generic": f"    init<Kind: Hashable>({taken(9)}) {{}}",
    "without reason": f"    init(  // Parts: ok\n        {taken(9)}) {{}}", "after a text": f'    static let bracket = "}}"\n{stored(9)}',
    "of calls": f"    init({taken(7)}, done: @Sendable (Int) -> [Int: Int] = {{ [$0: 0] }}, kind: Kind) {{}}",
    "of a struct in it": f"    struct Inner {{\n{stored(9).replace('    ', '        ')}    }}",
}
EIGHT_PARTS = {
    "its own": stored(8), "written": stored(12) + f"    init({taken(8)}) {{ done(a: 1, b: 2) }}",
    "in closures": f"    init({taken(7)}, done: @Sendable (_ one: Int, _ other: [Int: Int]) -> Int) {{}}",
    "with constants": stored(8) + "    let nine = 9\n    static let ten: Int = 10",
    "with computed ones": stored(8) + "    var nine: Int { 9 }\n    var ten: Int {\n        10\n    }",
    "with a reason": f"    init(  // Parts: those of the answer.\n        {taken(9)}) {{}}",
}


@pytest.mark.parametrize("code", NINE_PARTS.values(), ids=NINE_PARTS)
def test_an_initialiser_with_nine_parts_is_found(tmp_path, code):
    assert found(tmp_path, f"package struct Some: Sendable {{\n{code.rstrip()}\n}}", "parts")


@pytest.mark.parametrize("code", EIGHT_PARTS.values(), ids=EIGHT_PARTS)
def test_eight_parts_and_reasons_pass(tmp_path, code):
    assert not found(tmp_path, f"package struct Some: Sendable {{\n{code.rstrip()}\n}}", "parts")


def test_a_struct_may_say_why_it_has_more(tmp_path):
    assert not found(tmp_path, f"struct Some: Codable {{  // Parts: those of the token.\n{stored(9)}}}", "parts")
