"""`scripts/characters`, which `scripts/lint` calls, finds what it is for and nothing else."""

import subprocess

import pytest
from house import REPOSITORY


def found(tmp_path, code: str) -> bool:
    file = tmp_path / "Some.swift"
    file.write_text(code + "\n")
    return subprocess.run([REPOSITORY / "scripts/characters", file], capture_output=True).returncode == 1


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
