"""Test the YAML of packs: version 1.2, strict, with the line of every value."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base.errors import PnpError
from generator.pack.yaml_nodes import parse_yaml
from tests.tools.make_pack import loaded, make, problems


def error_text(text: str) -> str:
    with pytest.raises(PnpError) as caught:
        parse_yaml(text, "game.yaml")
    return str(caught.value)


@pytest.mark.parametrize(
    "word", ["yes", "no", "on", "off", "NO", "1.10", "0123", "1_000", "12:30", "~", "2024-01-01"]
)
def test_word_in_yaml_stays_as_written(word):
    assert parse_yaml(f"key: {word}\n", "f").plain() == {"key": word}


@pytest.mark.parametrize("word", ["yes", "True", "on", "1"])
def test_truth_value_is_only_true_or_false(word, tmp_path):
    pack = make(tmp_path, more=f"  other: {{italic: {word}}}")
    assert f"styles.other.italic: '{word}' is neither true nor false" in problems(pack)


def test_empty_value_is_none_and_empty_quotes_are_a_text():
    assert parse_yaml("a:\nb: ''\nc: \"\"\n", "f").plain() == {"a": None, "b": "", "c": ""}


def test_layer_without_a_value_is_reported(tmp_path):
    assert "front.yaml:1: text: nothing is written here" in problems(
        make(tmp_path, "- text:\n  box: [1, 1, 20, 20]\n  style: body\n")
    )


def test_duplicate_key_is_refused_with_both_lines():
    assert error_text("a: 1\nb: 2\na: 3\n") == (
        "game.yaml:3: a: this key is given twice\n  expected each key once\n  the first is in line 1"
    )


@pytest.mark.parametrize("text", ["a: &x 1\nb: *x\n", "a: &x [1]\n", "b: *x\n"])
def test_yaml_anchors_are_refused(text):
    assert "anchors and aliases are not supported" in error_text(text)


@pytest.mark.parametrize("bomb", ["[" * 100_000, "{a: " * 100_000, "- " * 100_000])
def test_yaml_nested_too_deeply_is_refused(bomb):
    assert "nested too deeply" in error_text(bomb)


def test_nested_anchors_are_refused_at_the_first_line():
    lines = ["a: &a [x, x]"] + [
        f"{b}: &{b} [*{a}, *{a}, *{a}, *{a}]" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    ]
    assert error_text("\n".join(lines)).startswith("game.yaml:1: YAML anchors")


def test_tab_as_indentation_is_refused():
    assert "indent with spaces, not tabs" in error_text("a:\n\tb: 1\n")


@pytest.mark.parametrize("text", ["", "# nothing\n", "\n\n", "---\n"])
def test_empty_game_yaml_is_refused(text, tmp_path):
    (make(tmp_path) / "game.yaml").write_text(text)
    assert problems(tmp_path).startswith("game.yaml")


@pytest.mark.parametrize("text", ["hello\n", "- a\n", "42\n"])
def test_game_yaml_without_a_mapping_is_refused(text, tmp_path):
    (make(tmp_path) / "game.yaml").write_text(text)
    assert (
        problems(tmp_path)
        == "game.yaml:1: this is not a mapping\n  expected lines of the form `key: value`"
    )


def test_two_yaml_documents_in_one_file_are_refused():
    assert "this is not YAML" in error_text("a: 1\n---\nb: 2\n")


def test_file_that_is_not_utf_8_is_refused_with_the_line(tmp_path):
    (make(tmp_path) / "game.yaml").write_bytes("name: Fenêtre\n".encode("latin-1"))
    assert problems(tmp_path) == (
        "game.yaml: 'game.yaml' is not UTF-8 text: line 1 after 'name: Fen'\n"
        "  expected a file saved as UTF-8\n"
        "  in your editor save it as UTF-8"
    )


def test_byte_order_mark_and_crlf_are_accepted(tmp_path):
    path = make(tmp_path) / "game.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert problems(tmp_path) == ""
    game = loaded(tmp_path)
    assert (game.name, game.version) == ("Small", "1")


def test_game_yaml_above_20_mb_is_refused(tmp_path):
    (make(tmp_path) / "game.yaml").write_bytes(b"# " + b"x" * 20_000_000)
    assert "has more than 20 MB" in problems(tmp_path)


def test_tags_for_python_objects_are_ignored():
    assert parse_yaml("a: !!python/object/apply:os.system [x]\n", "f").plain() == {"a": ["x"]}


@given(
    st.dictionaries(
        st.text("abcdefgh", min_size=1),
        st.text("xyz 0123456789", min_size=1).map(str.strip),
        min_size=1,
    )
)
def test_yaml_nodes_know_their_lines(pairs):
    text = "".join(f'\n# remark\n{key}: "{value}"\n' for key, value in pairs.items())
    node = parse_yaml(text, "f")
    lines = text.split("\n")
    for key, value in pairs.items():
        assert node.find(key).plain() == value
        assert lines[node.keys[key].line - 1].startswith(f"{key}:")
