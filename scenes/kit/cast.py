"""Who plays a part in the opening, and what may be said of them: as the numbers are."""

from __future__ import annotations

from decimal import Decimal

from lesson import Fact, FactReader
from scenes.kit.figures import rounded_to
from scenes.kit.sentence import TINY
from scenes.kit.wording import different, places, quoted_places

MOST_KEYS, MOST_ROWS = 4, 4  # where not all words fit: keys shown; rows of a key, dots included
MOST_NAMED, NEARLY = 3, 0.8  # words that tie and are named; as a share of the largest weight
AHEAD = "only beyond the second decimal"  # where weights that differ are shown alike
Said = tuple[str, list[Fact]]


class Cast:
    """The words of the sentence by their parts; all are indices.

    `who` looks, for what is `wanted`; `offers` hold what others offer, by dimension. `best` matters most, `pair` are
    the two that do, where there are two, and `leaders` all that share the largest weight, each word once. `needed`
    have to be shown, fewer and fewer where there is no room.
    """

    def __init__(self, facts: FactReader) -> None:
        self.facts, self.tokens, self.weights = facts, facts["opening.tokens"], facts["opening.weights"]
        self.names = facts["opening.dimensions"]
        self.who, self.tied = int(facts["opening.query_index"]), bool(facts["opening.tied"])
        self.wanted = self._names(facts["opening.q"])
        self.offers = {i: names for i, key in enumerate(facts["opening.k"]) if (names := self._names(key))}
        others = [int(i) for i in facts["opening.others"]]
        self.best = next(i for i in others if i in self.offers and self.offers[i].keys() & self.wanted.keys())
        leaders = {int(i) for i in facts["opening.leaders"]} - {self.who}
        by_weight = sorted(others, key=lambda i: (-float(self.weights[i]), i not in self.offers))
        rivals = [i for i in by_weight if i in leaders] if self.tied else by_weight
        self.pair = different(self.tokens, [self.best, *rivals])[:2]
        self.leaders = different(self.tokens, [self.best, *sorted(leaders)]) if self.tied else [self.best]
        offering = sorted(self.offers, key=lambda i: (i not in self.pair, others.index(i)))
        self.needed = [sorted({self.who, *self.pair, *offering[:count]}) for count in range(MOST_KEYS, 0, -1)]

    def _names(self, vector: Fact) -> dict[int, Fact]:
        """The dimensions in which a vector has something."""
        return {d: name for d, name in enumerate(self.names) if float(vector[d])}

    def rows(self, i: int) -> dict[int, Fact]:
        """Of what a word offers, as much as has room: first what is looked for."""
        offered = self.offers[i]
        if len(offered) <= MOST_ROWS:
            return offered
        first = sorted(offered, key=lambda d: d not in self.wanted)[: MOST_ROWS - 1]
        return {d: offered[d] for d in first}

    @property
    def close(self) -> bool:
        """Does another word matter nearly as much as the best, or as much?"""
        return len(self.pair) > 1 and float(self.weights[self.pair[1]]) > NEARLY * float(self.weights[self.best])

    @property
    def mattering(self) -> list[int]:
        """Of the pair, those whose weight is shown as more than what every word gets; all, where the best has no more.

        Nor where it has just a little more: then there is no telling between the others.
        """
        if self.alike or (self.close and self._rest_alike):
            return different(self.tokens, list(map(int, self.facts["opening.others"])))
        least = min(map(self.digits, range(len(self.tokens))))
        return [i for i in self.pair if i == self.best or self.digits(i) > least]

    def digits(self, i: int) -> Decimal:
        """A weight as it is shown."""
        return rounded_to(float(self.weights[i]), 2)

    @property
    def alike(self) -> bool:
        """Are the weights of all words shown as the same?"""
        return self._rest_alike and self.digits(self.best) == self.digits(self.who)

    @property
    def rivals(self) -> list[int]:
        """Whose weights are named beside the best's: the other of the pair, or all others where these are alike."""
        return self._rest if self._rest_alike else self.pair[1:]

    @property
    def _rest(self) -> list[int]:
        return [i for i in range(len(self.tokens)) if i != self.best]

    @property
    def _rest_alike(self) -> bool:
        """Are the weights of all words but the best shown as the same?"""
        return len(set(map(self.digits, self._rest))) == 1

    @property
    def _nearly_all(self) -> bool:
        """Would the largest weight be shown as one, though it is less?"""
        return 1 - TINY < float(self.weights[self.best]) < 1

    def asks(self) -> tuple[str, list[Fact], dict[str, int]]:
        """What may give the word its meaning; marks: who, and those of the pair, in the sentence's order."""
        pair = dict(zip(places("maybe", len(self.pair)), sorted(self.pair), strict=True))
        named = [self.tokens[i] for i in (self.who, *pair.values())]
        words = ", or ".join(f"“[{mark}|{{}}]”" for mark in pair)
        if len(pair) == 1:
            return f"Does “[who|{{}}]” get its meaning from {words}?", named, pair
        return f"What gives “[who|{{}}]” its meaning: {words}?", named, pair

    def fits(self) -> Said:
        """Why the best gets the largest weight."""
        facts = [self.tokens[self.best], self.tokens[self.who], self.weights[self.best]]
        if self.tied:
            fits, equal = "No key fits the query of “{}” better than that of “{}”, but ", self.leaders[1:]
            all_equal = bool(self.facts["opening.all_tied"])
            gets = "about {}, and the others nearly as much" if self.alike and not all_equal else "{}"
            if len(equal) == 1:
                named = [facts[1], facts[0], self.tokens[equal[0]], facts[2]]
                return f"{fits}that of “{{}}” fits as well: each gets {gets}.", named
            return f"{fits}it has equals: each gets {gets}.", [facts[1], facts[0], facts[2]]
        if self._nearly_all:
            return "The key of “{}” fits the query of “{}” best, so it gets almost all the weight.", facts[:2]
        if self.alike:
            return "The key of “{}” fits the query of “{}” best, but by so little that all words get about {}.", facts
        return "The key of “{}” fits the query of “{}” best, so it gets the largest weight: {}.", facts

    def won(self) -> Said:
        """Who gets the largest weight; marks: wins, and rival where there is one."""
        if self.tied:
            return self._shared()
        weight, named = self.weights[self.best], self.tokens[self.best]
        if self.alike:
            return f"All words get about {{}}; “{{}}” is [wins|ahead] {AHEAD}.", [weight, named]
        if not self.pair[1:]:
            alone = "almost all the weight" if self._nearly_all else "a weight of {}"
            return f"“{{}}” [wins] with {alone}.", [named] if self._nearly_all else [named, weight]
        rival, its = self.tokens[self.pair[1]], self.weights[self.pair[1]]
        other, who = ("every other word", list[Fact]()) if self._rest_alike else ("“{}”", [rival])
        if self.close:
            template = f"“{{}}” [wins] by little, with a weight of {{}}; {other} gets [rival|nearly as much]."
            return template, [named, weight, *who]
        if float(its) < TINY:
            won, facts = ("almost all the weight", []) if self._nearly_all else ("a weight of {}", [weight])
            return f"“{{}}” [wins] with {won}; {other} gets [rival|next to nothing].", [named, *facts, *who]
        return f"“{{}}” [wins] with a weight of {{}}; {other} gets only [rival|{{}}].", [named, weight, *who, its]

    def _shared(self) -> Said:
        weight, named = self.weights[self.best], [self.tokens[i] for i in self.leaders]
        if self.facts["opening.all_tied"]:
            return "All words get the [wins|same] weight: [rival|{}].", [weight]
        few = 2 <= len(named) <= MOST_NAMED
        if self.alike:
            ahead, facts = (quoted_places(len(named)), named) if few else ("some", [])
            return f"All words get about {{}}; {ahead} are [wins|ahead] {AHEAD}.", [weight, *facts]
        if not few:
            return "Several words [wins|share] the largest weight: [rival|{}].", [weight]
        return f"{quoted_places(len(named))} [wins|share] the largest weight: [rival|{{}}].", [*named, weight]

    def becomes(self) -> Said:
        """What the new meaning is made of; marks: most, rest."""
        most = [self.tokens[i] for i in self.leaders]
        rest, others = "[rest|everything else]", list[Fact]()
        if len(self.tokens) == 1 + len(most):
            rest, others = "[rest|“{}” itself]", [self.tokens[self.who]]
        if self.facts["opening.all_tied"]:
            return "[most|an equal] share of [rest|every word]", []
        if self.tied and not 2 <= len(most) <= MOST_NAMED:
            if self.alike:
                return "a little more of [most|some words] than of [rest|others]", []
            return f"most of all [most|several words], and a share of {rest}", others
        if self.facts["opening.decisive"]:
            return f"almost all of it [most|“{{}}”], and a trace of {rest}", [*most, *others]
        if self.alike or (self.close and not self.tied):
            return f"a little more of [most|{quoted_places(len(most))}] than of [rest|any other word]", most
        return f"most of all [most|{quoted_places(len(most))}], and a share of {rest}", [*most, *others]
