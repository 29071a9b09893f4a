"""What the chapter on heads says, by how many there are: with one there is nothing to split."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lesson import Fact
from scenes.kit.head_stage import Part
from scenes.kit.wording import NUMBERS, ORDINALS, Said, heard


@dataclass(frozen=True)
class HeadWords:
    """Lines with their marks, and what is written."""

    columns: str
    reshape: str
    transpose: str
    order: str
    batch: str
    title: str
    back: str
    alone: str
    gap: str
    takeaway: tuple[str, str, str]


ONE = HeadWords(
    columns="With one head there is nothing to split: [first|head {}] keeps all the columns.",
    reshape="A [reshape] still gives the heads an [axis], of length one.",
    transpose="A [transpose] puts this axis [first]; the one head is the same [matrix] as before.",
    order="No number moves in memory, and with one head, even the reading [order] stays.",
    batch="Attention runs in the one head: to it, that is a batch of one.",
    title="Does the merge need a transpose here?",
    back="The shape [fits] either way. [transpose|Transpose], then [reshape], and each number is in its place.",
    alone="A [reshape] alone [fills] the rows in reading order, and with one head that is the right one.",
    gap="Without it, the output is the [off|same]; with more heads, it would not be.",
    takeaway=("One head: nothing to split.", "More: reshape, then transpose,", "and merge in the reverse order."),
)
TWO = HeadWords(
    columns="The first columns go to [first|head {}], the last to [second|head {}].",
    reshape="A [reshape] gives the heads an [axis] of their own.",
    transpose="A [transpose] puts this axis [first], so each head becomes a [matrix] of its own.",
    order="No number moves in memory; only the reading [order] changes.",
    batch="Both heads run at once: for attention, just one more batch axis.",
    title="Why does the merge need a transpose?",
    back="The shape [fits] either way. A [transpose] brings each token’s pieces side by side; a [reshape] joins them.",
    alone="A [reshape] alone [fills] the rows in reading order: all of head {} first.",
    gap="Without it, outputs are [off] by up to {}; no error is raised.",
    takeaway=("Split: reshape, then transpose.", "Merge in the reverse order,", "or only the shape is right."),
)
MANY = replace(
    TWO,
    columns="The columns are shared out: some go to [first|head {}], as many to [second|head {}], and so on.",
    batch="All heads run at once: for attention, just one more batch axis.",
)
WORDS = (ONE, TWO, MANY)
SINGLE = (  # columns of heads that have one each
    "With one head there is nothing to split: [first|head {}] keeps the one column.",
    "The first column goes to [first|head {}], the second to [second|head {}].",
    "Each head gets a column: the first goes to [first|head {}], the second to [second|head {}], and so on.",
)


def words_for(h: Fact, d_head: Fact) -> HeadWords:
    """By how many heads there are, and whether they have columns or one column."""
    which = min(int(h), len(WORDS)) - 1
    return WORDS[which] if int(d_head) > 1 else replace(WORDS[which], columns=SINGLE[which])


def names_of_two(tokens: Fact, row: int) -> tuple[Said, Said]:
    """Names for the first token and that of another row.

    They say which one it is where a word is heard twice; a word that is written otherwise elsewhere has its place.
    """
    said, words = heard(tokens), [str(token) for token in tokens]

    def name(i: int) -> Said:
        if said.count(said[i]) > words.count(words[i]):
            return f"the {ORDINALS[i]} token", []
        if i and said[i] == said[0]:
            return "the next “{}”", [tokens[i]]
        return "the first “{}”" if said.count(said[i]) > 1 else "“{}”", [tokens[i]]

    return name(0), name(row)


def told(h: Fact, d_head: Fact) -> str:
    """The sizes: places for the numbers of tokens, of heads, and of columns of a head."""
    heads, columns = "heads" if int(h) > 1 else "head", "columns" if int(d_head) > 1 else "column"
    return f"{{}} tokens, {{}} {heads} of {{}} {columns}."


def excerpt(part: Part) -> str:
    """How much of it is shown, where that is not all."""
    shown = [
        f"{NUMBERS[count - 1]} {what}"
        for count, what, cut in (
            (part.rows, "tokens", part.cuts_rows),
            (part.heads, "heads", part.cuts_heads),
            (part.wide, "columns of each" if part.heads > 1 else "columns", part.cuts_columns),
        )
        if cut
    ]
    return f"Shown here: {', '.join(shown)}."
