"""A lesson file with a fault is answered by one line: file, key, what is wrong, what is allowed."""

from __future__ import annotations

import os
import tomllib
import unicodedata
from pathlib import Path

import pytest

from lesson import DEFAULT_LESSON, Lesson, LessonError, load

SHIPPED = DEFAULT_LESSON.read_text(encoding="utf-8")


def changed(tmp_path: Path, *changes: tuple[str, str]) -> Path:
    """The shipped lesson with each first text, which must stand in it, replaced by the second.

    Random draws that are not changed themselves are made few, so that a test takes milliseconds.
    """
    text = SHIPPED
    for old, new in (*changes, *(few for few in FEW if few[0] not in {old for old, _ in changes})):
        assert old in text
        text = text.replace(old, new, 1)
    path = tmp_path / "lesson.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def shipped() -> Lesson:
    return load()


def refusal(path: Path) -> LessonError:
    with pytest.raises(LessonError) as caught:
        load(path)
    for line in str(caught.value).split("\n"):
        assert line.startswith(f"{path}: ")
        assert "; allowed: " in line
        assert line.isprintable()
    return caught.value


Q, K, V = "query = [1, 0]", "keys = [[1, 0], [0, 1]]", "values = [[10, 0], [0, 6]]"
WORDS = '["The", "animal", "was", "too", "tired", "."]'
LOGITS, SIZES = "logits = [1000, 1001, 1002]", "d_k = [4, 64, 512]"
TOKENS = 'tokens = ["The", "animal", "didn’t",'

FEW = [("pairs = 4000", "pairs = 1000"), ("rows = 400", "rows = 100"), (SIZES, "d_k = [4, 8, 16]")]

FAULTS = [
    # look
    ('theme = "dark"', 'theme = "blue"', "look.theme", "'blue' is not allowed", '"dark" or "light"'),
    ('theme = "dark"', "", "look.theme", "is missing", '"dark" or "light"'),
    ('theme = "dark"', 'theme = "dark"\ncolour = 1', "look.colour", "unknown key", "theme"),
    ("[look]", "[lok]", "lok", "unknown key, did you mean look?", "look, opening, worked_example"),
    ("[look]", "[x]\n[look]", "x", "unknown key", "look, opening"),
    # opening
    (
        TOKENS,
        'tokens = ["A b", "animal", "didn’t",',
        "opening.tokens[0]",
        "'A b' holds a space (U+0020 SPACE)",
        "visible",
    ),
    (TOKENS, 'tokens = ["The", "animalistically", "didn’t",', "opening.tokens[1]", "has 15 characters", "1 to 14"),
    (TOKENS, 'tokens = ["One", "more", "didn’t",', "opening.offers.animal", "is none of opening.tokens", "One, more"),
    (TOKENS, 'tokens = ["Oh", "The", "animal", "didn’t",', "opening.tokens", "has 13 entries", "2 to 12"),
    ('query_token = "it"', 'query_token = "dog"', "opening.query_token", "'dog' is none of", "The, animal"),
    ('query_token = "it"', "query_token = 13", "opening.query_token", "there is no token 13", "1 to 12"),
    ('query_token = "it"', "query_token = 0", "opening.query_token", "there is no token 0", "1 to 12"),
    ('query_token = "it"', "query_token = 1.5", "opening.query_token", "1.5 is neither a word", "place counted from 1"),
    ('query_token = "it"', "query_token = true", "opening.query_token", "neither a word", "place counted from 1"),
    ('["noun", "animate",', '["noun", "noun",', "opening.dimensions", "'noun' stands twice", "1 to 8 different"),
    ("{ noun = 3.5,", "{ noum = 3.5,", "opening.looks_for.noum", "is none of opening.dimensions", "noun, animate"),
    ("{ noun = 3.5,", "{ noun = -3.5,", "opening.looks_for.noun", "-3.5 is too small", "above 0"),
    ("{ noun = 3.5,", "{ noun = 6.5,", "opening.looks_for.noun", "6.5 is too large", "at most 6"),
    ("{ noun = 3.5, animate = 3.5 }", "{}", "opening.looks_for", "has 0 entries", "names from"),
    ("animal = {", "cat = {", "opening.offers.cat", "is none of opening.tokens", "The, animal"),
    ("animal = {", '"a\\nb" = {', 'opening.offers."a\\nb"', "is none of opening.tokens", "The, animal"),
    ("animal = {", "it = {", "opening.offers.it", "is the word that looks", "the other tokens"),
    ("cross = { action", "cross = { act", "opening.offers.cross.act", "is none of opening.dimensions", "noun"),
    ("cross = { action = 1 }", "cross = 3", "opening.offers.cross", "3 is not a table", "per token"),
    ("{ noun = 3.5, animate = 3.5 }", "{ noun = 1, animate = 1, x = 1 }", "opening.looks_for.x", "is none", "noun"),
    # worked example and practice
    (Q, "query = [1]", "worked_example.query", "has 1 entry", "two numbers"),
    (Q, "query = [1, 0, 0]", "worked_example.query", "has 3 entries", "two numbers"),
    (Q, "query = [0, 0]", "worked_example.query", "length 0 has no direction", "not both 0"),
    (Q, "query = [1e-4, 1]", "worked_example.query[0]", "0.0001 is too small", "0.001 to 1000000"),
    (Q, "query = [1, -1000001]", "worked_example.query[1]", "-1e+06 is too large", "0.001 to 1000000"),
    (Q, 'query = ["a", 3]', "worked_example.query[0]", "'a' is not a number", "two numbers"),
    (Q, "query = [1, nan]", "worked_example.query[1]", "nan is not finite", "two numbers"),
    (Q, "query = [-inf, 1]", "worked_example.query[0]", "-inf is not finite", "two numbers"),
    (Q, "query = [true, 1]", "worked_example.query[0]", "true is not a number", "two numbers"),
    (Q, "query = [1979-05-27, 1]", "worked_example.query[0]", "is not a number", "two numbers"),
    (Q, f"query = [1{'0' * 400}, 1]", "worked_example.query[0]", "64 bits is too large", "two numbers"),
    (Q, "query = 7", "worked_example.query", "7 is not a list", "two numbers"),
    (Q, "query = { a = 7 }", "worked_example.query", "{'a': 7} is not a list", "two numbers"),
    (Q, "query = [991, 0]", "worked_example.query", "with key 1 is 700.743, and e to that power overflows", "700"),
    (K, "keys = [[-991, 0], [-9910, 3]]", "worked_example.query", "is -700.743, with key 1, and e to that", "700"),
    (K, "keys = [[1, 0]]", "worked_example.keys", "has 1 entry", "2 to 5 keys"),
    (K, "keys = [[1, 0], [0, 2000000]]", "worked_example.keys[1][1]", "2e+06 is too large", "0.001 to 1000000"),
    (K, "keys = [[0, 0], [0, 1]]", "worked_example.keys[0]", "length 0 has no direction", "not both 0"),
    (K, 'keys = [[1, 0], [0, "1"]]', "worked_example.keys[1][1]", "'1' is not a number", "2 to 5 keys"),
    (K, "keys = [[1, 0], [0, 1], [1, 1]]", "worked_example.values", "2 values for 3 keys", "3 values"),
    (V, f"values = {6 * [[1, 2]]}", "worked_example.values", "has 6 entries", "as many values as keys"),
    (V, "values = [[1e7, 0], [0, 6]]", "worked_example.values[0][0]", "1e+07 is too large", "0.001 to 1000000"),
    ("query = [0, 2]", "query = [0, 1000]", "practice.query", "with key 2 is 707.107", "from -700 to 700"),
    ("query = [0, 2]", "query = [-1000, -1000]", "practice.query", "is -707.107, with key 1", "from -700 to 700"),
    # stability
    (LOGITS, "logits = [1000, 1001]", "stability.logits", "has 2 entries", "exactly three"),
    (LOGITS, "logits = [1000, 1001, 1002.0]", "stability.logits[2]", "1002.0 is not a whole number", "710 to 9999"),
    (LOGITS, "logits = [709, 710, 711]", "stability.logits[0]", "709 is out of range", "710 to 9999"),
    (LOGITS, "logits = [9998, 9999, 10000]", "stability.logits[2]", "10000 is out of range", "710 to 9999"),
    (LOGITS, "logits = [1000, 1001, 1007]", "stability.logits", "lie 7 apart", "at most 6 apart"),
    # spread
    (SIZES, "d_k = [4]", "spread.d_k", "has 1 entry", "2 to 5"),
    (SIZES, "d_k = [4, 64, 64]", "spread.d_k", "does not rise", "rising"),
    (SIZES, "d_k = [0, 64, 512]", "spread.d_k[0]", "0 is too small", "from 1 to 1024"),
    (SIZES, "d_k = [4, 64, 1025]", "spread.d_k[2]", "1025 is too large", "from 1 to 1024"),
    ("pairs = 4000", "pairs = 40", "spread.pairs", "40 is too small", "1000 to 10000"),
    ("seed = 52", "seed = -1", "spread.seed", "-1 is too small", "0 to 4294967295"),
    ("seed = 52", "seed = 4294967296", "spread.seed", "4294967296 is too large", "0 to 4294967295"),
    ("seed = 52", "seed = 1.0", "spread.seed", "1.0 is not a whole number", "a whole number"),
    # sequence
    (WORDS, '["The"]', "sequence.tokens", "has 1 entry", "2 to 12 words"),
    (WORDS, str(13 * ["a"]), "sequence.tokens", "has 13 entries", "2 to 12 words"),
    (WORDS, '["The", "hippopotamuses!"]', "sequence.tokens[1]", "'hippopotamuses!' has 15 characters", "1 to 14"),
    (WORDS, '["The", ""]', "sequence.tokens[1]", "'' has 0 characters", "1 to 14"),
    (WORDS, '["The", "a\\u0007"]', "sequence.tokens[1]", "'a\\x07' holds the invisible U+0007", "visible"),
    (WORDS, '["The", "a\\u00A0b"]', "sequence.tokens[1]", "a space (U+00A0 NO-BREAK SPACE)", "visible"),
    (WORDS, '["The", "a\\nb"]', "sequence.tokens[1]", "a space (U+000A", "visible"),
    (WORDS, '["The", "a\\u202Eb"]', "sequence.tokens[1]", "U+202E RIGHT-TO-LEFT OVERRIDE", "visible"),
    (WORDS, '["The", "a\\u200Db"]', "sequence.tokens[1]", "U+200D ZERO WIDTH JOINER", "visible"),
    (WORDS, '["The", "q\u0302"]', "sequence.tokens[1]", "from its letter (U+0302 COMBINING CIRCUMFLEX", "being one"),
    (WORDS, '["The", 3]', "sequence.tokens[1]", "3 is not a text", "words"),
    ("d_model = 8", "d_model = 7", "multi_head.h", "2 does not divide sequence.d_model = 7", "1, 7"),
    ("d_model = 8", "d_model = 17", "sequence.d_model", "17 is too large", "1 to 16"),
    ("d_model = 8", "d_model = 0", "sequence.d_model", "0 is too small", "1 to 16"),
    ("d_k = 4\n", "d_k = 9\n", "sequence.d_k", "9 is too large", "1 to 8"),
    ("d_v = 4", "d_v = 0", "sequence.d_v", "0 is too small", "1 to 8"),
    # multi_head
    ("h = 2", "h = 3", "multi_head.h", "3 does not divide sequence.d_model = 8", "1, 2, 4, 8"),
    ("h = 2", 'h = "2"', "multi_head.h", "'2' is not a whole number", "divides sequence.d_model"),
    ("h = 8", "h = 7", "multi_head.paper.h", "7 does not divide multi_head.paper.d_model = 512", "divides"),
    ("causal = true", "causal = 1", "multi_head.causal", "1 is not true or false", "true or false"),
    ("[multi_head.paper]", "[multi_head.papers]", "multi_head.papers", "did you mean paper?", "h, seed, causal, paper"),
    # pronunciation
    (
        "[pronunciation]",
        '[pronunciation]\nd_k = "d 2"',
        "pronunciation.d_k",
        "'d 2' is not of letters",
        "letters a to z",
    ),
    (
        "[pronunciation]",
        '[pronunciation]\nd_k = " - "',
        "pronunciation.d_k",
        "' - ' is not of letters",
        "letters a to z",
    ),
    ("[pronunciation]", '[pronunciation]\n"a b" = "a b"', 'pronunciation."a b"', "holds a space", "per written word"),
    # not TOML
    ("causal = true", "causal = tru", "", "is not TOML: Invalid value (at line", "valid TOML"),
    ("[look]", "[look]\n[look]", "", "is not TOML", "once"),
    ("seed = 52", "seed = 52\nseed = 53", "", "is not TOML: Cannot overwrite a value", "once"),
    ("seed = 52", "seed = " + 5000 * "[\n", "", "nested too deeply", "valid TOML"),
]


@pytest.mark.parametrize("old, new, key, wrong, allowed", FAULTS, ids=[f"{i}-{f[2]}" for i, f in enumerate(FAULTS)])
def test_a_fault_is_one_line_naming_key_and_remedy(
    tmp_path: Path, old: str, new: str, key: str, wrong: str, allowed: str
) -> None:
    path = changed(tmp_path, (old, new))
    error = refusal(path)
    said, remedy = str(error).removeprefix(f"{path}: ").rsplit("; allowed: ", 1)
    assert [fault.key for fault in error.faults] == [key]
    assert said.startswith(f"{key}: " if key else "is not TOML: ")
    assert wrong in said
    assert allowed in remedy


def test_a_value_where_a_table_belongs(tmp_path: Path) -> None:
    path = changed(tmp_path, ("[practice]", ""), ("query = [0, 2]", ""), ("[look]", "practice = 3\n[look]"))
    assert str(refusal(path)) == f"{path}: practice: 3 is not a table; allowed: a table"


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    """Of single values, between values of one table, and between tables."""
    path = changed(
        tmp_path,
        ("[look]", "[lok]"),
        ("pairs = 4000", "pairs = 1"),
        ('query_token = "it"', 'query_token = "dog"'),
        ("animal = {", "cat = {"),
        (Q, "query = [1000, 0]"),
        ("h = 2", "h = 3"),
    )
    assert [fault.key for fault in refusal(path).faults] == [
        "lok", "spread.pairs",
        "opening.query_token", "opening.offers.cat", "worked_example.query", "multi_head.h",
    ]  # fmt: skip


def test_what_is_no_fault_of_its_own_is_not_told(tmp_path: Path) -> None:
    """A key that is missing because it is misspelt; a list that lacks an entry because the entry is wrong."""
    path = changed(tmp_path, ("d_v = 4", "dv = 4"), (K, 'keys = [[1, 0], "x"]'))
    assert [fault.key for fault in refusal(path).faults] == ["sequence.dv", "worked_example.keys[1]"]


def test_after_twenty_faults_the_others_are_counted(tmp_path: Path) -> None:
    offers = "".join(f"w{i} = {{ noun = 1 }}\n" for i in range(30))
    with pytest.raises(LessonError) as caught:
        load(changed(tmp_path, ("[opening.offers]\n", f"[opening.offers]\n{offers}")))
    error = caught.value
    *lines, last = str(error).split("\n")
    assert (len(error.faults), len(lines)) == (31, 20)  # 30 unknown words, and too many of them
    assert last.endswith(": and 11 more faults")


def test_a_word_that_stands_twice_is_named_by_its_place(tmp_path: Path) -> None:
    twice = ('"too", "tired", "."]\n\n# The word', '"it", "tired", "."]\n\n# The word')
    error = refusal(changed(tmp_path, twice))
    assert "'it' stands 2 times; allowed: its place: 8 or 10" in str(error)
    lesson = load(changed(tmp_path, twice, ('query_token = "it"', "query_token = 10")))
    assert int(lesson.facts["opening.query_index"]) == 9


# ---------------------------------------------------------------- the file itself


def test_missing_file(tmp_path: Path) -> None:
    assert "cannot be read: No such file or directory" in str(refusal(tmp_path / "none.toml"))


def test_folder_instead_of_a_file(tmp_path: Path) -> None:
    assert "cannot be read: Is a directory" in str(refusal(tmp_path))


def test_file_that_cannot_be_opened(tmp_path: Path) -> None:
    path = tmp_path / "lesson.toml"
    path.symlink_to(path)  # a circle of links: not even root can read it
    assert "cannot be read: Too many levels of symbolic links" in str(refusal(path))


def test_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "lesson.toml"
    path.write_bytes(SHIPPED.replace("’", "'").replace("√", "").replace('"tired"', '"müde"').encode("latin-1"))
    line = 1 + SHIPPED[: SHIPPED.index('"tired"')].count("\n")
    assert f"line {line} is not UTF-8 (byte 0xfc)" in str(refusal(path))


def test_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "lesson.toml"
    path.write_text("", encoding="utf-8")
    assert [fault.key for fault in refusal(path).faults] == list(tomllib.loads(SHIPPED))[:-1]  # none need be spoken


def test_a_name_with_a_line_break_stays_one_line(tmp_path: Path) -> None:
    with pytest.raises(LessonError) as caught:
        load(tmp_path / "a\nb.toml")
    assert "a\\nb.toml: cannot be read" in str(caught.value)


def test_byte_order_mark_and_windows_line_ends_are_fine(tmp_path: Path, shipped: Lesson) -> None:
    path = tmp_path / "lesson.toml"
    path.write_bytes(b"\xef\xbb\xbf" + SHIPPED.replace("\n", "\r\n").encode())
    assert load(path).config == shipped.config


# ---------------------------------------------------------------- what is allowed


ALLOWED = {
    "light": ('theme = "dark"', 'theme = "light"'),
    "query by place": ('query_token = "it"', "query_token = 8"),
    "a tie": ("{ noun = 1, place = 1 }", "{ noun = 1, animate = 1 }"),
    "two tokens": (WORDS, '["a", "b"]'),
    "long tokens": (WORDS, str(12 * ["hippopotamuses"])),
    "scripts": (WORDS, '["naïve", "Größe", "ψυχή", "Київ", "Þjóð"]'),
    "markup": (WORDS, """['<b>&"#{$x$}\\n', '*_`~@#[]()', '-->', '{}', '\\', '"']"""),
    "d_model 16": ("d_model = 8", "d_model = 16"),
    "d_model 6": ("d_model = 8", "d_model = 6"),
    "narrow": ("d_k = 4\nd_v = 4", "d_k = 1\nd_v = 1"),
    "wide": ("d_k = 4\nd_v = 4", "d_k = 8\nd_v = 8"),
    "one head": ("h = 2", "h = 1"),
    "heads of one": ("h = 2", "h = 8"),
    "not causal": ("causal = true", "causal = false"),
    "smallest logits": (LOGITS, "logits = [710, 710, 716]"),
    "largest logits": (LOGITS, "logits = [9999, 9993, 9999]"),
    "decimals": (Q, "query = [1.2345678901, -0.5]"),
    "negative scores": (K, "keys = [[-1.5, -0.5], [-0.5, 1]]"),
    "smallest arrows": (K, "keys = [[0.001, 0], [0, -0.001]]"),
    "largest arrows": (K, "keys = [[0.001, 0], [0, -1000000]]"),
    "largest values": (V, "values = [[1e6, -1e6], [0, 0.001]]"),
    "largest power": (Q, "query = [989, 0]"),
    "largest seed": ("seed = 52", "seed = 4294967295"),
    "more sizes": (SIZES, "d_k = [1, 2, 8, 16, 32]"),
    "one head's worth": ("h = 8", "h = 512"),
    "spoken": ("[pronunciation]", '[pronunciation]\nBahdanau = "bah da now"\n"d_k" = "Dee-kay\'s"'),
}


@pytest.mark.parametrize("change", ALLOWED.values(), ids=ALLOWED.keys())
def test_what_is_allowed_works(tmp_path: Path, shipped: Lesson, change: tuple[str, str]) -> None:
    lesson = load(changed(tmp_path, change))
    assert lesson.facts.keys() == shipped.facts.keys()


def test_inputs_reach_the_facts(tmp_path: Path) -> None:
    path = changed(
        tmp_path,
        (WORDS, '["Birds", "sing"]'),
        ("d_model = 8", "d_model = 6"),
        ("d_k = 4\nd_v = 4", "d_k = 2\nd_v = 3"),
        (Q, "query = [0.5, 2.0]"),
    )
    facts = load(path).facts
    assert facts["sequence.tokens"].value == ("Birds", "sing")
    assert facts["sequence.w_v"].shape == (6, 3)
    assert facts["sequence.output_causal"].shape == (2, 3)
    assert facts["multi_head.weights"].shape == (2, 2, 2)
    assert (int(facts["multi_head.d_head"]), int(facts["multi_head.cell_count"])) == (3, 12)
    assert facts["worked_example.scores"].value.tolist() == [0.5, 2.0]
    assert int(facts["worked_example.strongest"]) == 2


def changed_facts(old: Lesson, new: Lesson) -> set[str]:
    return {key for key in old.facts if old.facts.digest(key) != new.facts.digest(key)}


def test_only_facts_that_depend_on_an_input_change(tmp_path: Path) -> None:
    before = load(changed(tmp_path))
    groups = {
        ("query = [0, 2]", "query = [0.5, 2]"): {"practice"},
        ("seed = 52", "seed = 53"): {"spread"},
        (LOGITS, "logits = [1000, 1001, 1003]"): {"stability"},
        ("seed = 1\n", "seed = 2\n"): {"multi_head"},
        ("seed = 0", "seed = 2"): {"sequence", "multi_head"},
        ('theme = "dark"', 'theme = "light"'): set(),
    }
    for change, expected in groups.items():
        keys = changed_facts(before, load(changed(tmp_path, change)))
        assert {key.split(".")[0] for key in keys} == expected, change
    assert not changed_facts(before, load(changed(tmp_path)))


def test_the_shipped_file_tells_an_instructor_about_every_key(shipped: Lesson) -> None:
    """Each key or table stands below a comment of its own paragraph."""
    paragraphs = SHIPPED.split("\n\n")
    for paragraph in paragraphs:
        lines = [line for line in paragraph.splitlines() if line]
        keys = [line for line in lines if not line.startswith("#")]
        assert not keys or any(line.startswith("# ") for line in lines), paragraph
    assert set(tomllib.loads(SHIPPED)) == set(shipped.config.model_dump())


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "lesson.toml"
    os.mkfifo(pipe)
    with pytest.raises(LessonError, match="no regular file"):
        load(pipe)


def test_spoken_forms_are_read(tmp_path: Path, shipped: Lesson) -> None:
    path = changed(tmp_path, ("[pronunciation]", '[pronunciation]\nBahdanau = "bah da now"'))
    assert dict(load(path).config.pronunciation) == {"Bahdanau": "bah da now"}
    text = SHIPPED[: SHIPPED.index("[pronunciation]")]
    path.write_text(text, encoding="utf-8")  # the table may be left out
    assert load(path).config == shipped.config


def test_an_accent_typed_apart_is_composed(tmp_path: Path) -> None:
    apart = unicodedata.normalize("NFD", '["The", "naïve", "Größe", "й"]')
    assert load(changed(tmp_path, (WORDS, apart))).facts["sequence.tokens"].value == ("The", "naïve", "Größe", "й")


def test_too_many_offers_are_refused(tmp_path: Path) -> None:
    more = 'cross = { action = 1 }\n"didn’t" = { place = 1 }\nwas = { place = 1 }'
    error = refusal(changed(tmp_path, ("cross = { action = 1 }", more)))
    assert "opening.offers: 5 words" in str(error)
    assert str(error).endswith("allowed: at most 4")


def test_a_query_that_nothing_answers_is_refused(tmp_path: Path) -> None:
    error = refusal(changed(tmp_path, ("{ noun = 3.5, animate = 3.5 }", "{ place = 1 }"), (", place = 1 }", " }")))
    assert str(error).endswith("all would weigh the same; allowed: at least one word that offers place")


def test_a_large_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "lesson.toml"
    with path.open("wb") as file:
        file.truncate(50_000_000)
    assert str(refusal(path)) == (
        f"{path}: holds more than 50,000 bytes; allowed: a lesson file of at most 50,000 bytes"
    )
