"""Who plays a part in the opening, and what may be said of them: as the numbers are."""

from __future__ import annotations

from decimal import Decimal

from lesson import Fact, FactReader
from scenes.kit.figures import rounded_to
from scenes.kit.sentence import TINY
from scenes.kit.wording import ORDINALS, Said, different, is_word, places, quoted_places

MOST_KEYS, MOST_ROWS = 4, 4  # where not all words fit: keys shown; rows of a key, dots included
MOST_NAMED, NEARLY = 3, 0.8  # words that tie and are named; as a share of the largest weight
ALMOST_ALL = 0.95  # of the blend: what is left is a trace
AHEAD = "only beyond the second decimal"  # where weights that differ are shown alike


class Cast:
    """The words of the sentence by their parts; all are indices.

    `who` looks, for what is `wanted`; `offers` hold what others offer, by dimension. `best` matters most, `pair` are
    the two that do, where there are two, `asked` those that the learner may think of, and `leaders` all that share the
    largest weight, each word once; `tied`: they are several words, not one that stands several times. `needed` have to
    be shown, fewer and fewer where there is no room.
    """

    def __init__(self, facts: FactReader) -> None:
        self.facts, self.tokens, self.weights = facts, facts["opening.tokens"], facts["opening.weights"]
        self.names = facts["opening.dimensions"]
        self.who = int(facts["opening.query_index"])
        self.wanted = self._names(facts["opening.q"])
        self.offers = {i: names for i, key in enumerate(facts["opening.k"]) if (names := self._names(key))}
        others = [int(i) for i in facts["opening.others"]]
        self.best = next(i for i in others if i in self.offers and self.offers[i].keys() & self.wanted.keys())
        leaders = {int(i) for i in facts["opening.leaders"]} - {self.who}
        self.leaders = different(self.tokens, [self.best, *sorted(leaders)])
        self.tied = len(self.leaders) > 1 or bool(facts["opening.all_tied"])
        by_weight = sorted(others, key=lambda i: (-float(self.weights[i]), i not in self.offers, not self._likely(i)))
        rivals = [i for i in by_weight if i in leaders] if self.tied else by_weight
        self.pair = different(self.tokens, [self.best, *rivals])[:2]
        self.asked = [i for i in self.pair if self._likely(i)]
        led = {str(self.tokens[i]) for i in self.leaders}
        self._behind = [i for i in different(self.tokens, [*by_weight, self.who]) if str(self.tokens[i]) not in led]
        offering = sorted(self.offers, key=lambda i: (i not in self.pair, others.index(i)))
        self.needed = [sorted({self.who, *self.pair, *offering[:count]}) for count in range(MOST_KEYS, 0, -1)]

    def _names(self, vector: Fact) -> dict[int, Fact]:
        """The dimensions in which a vector has something."""
        return {d: name for d, name in enumerate(self.names) if float(vector[d])}

    def _likely(self, i: int) -> bool:
        """Might a learner think that it is meant? Not so a mark that offers nothing, or the word that looks again."""
        return i in self.offers or (is_word(self.tokens[i]) and str(self.tokens[i]) != str(self.tokens[self.who]))

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
        told = {str(self.tokens[i]) for i in self.level or self._runners or self.pair[1:]}
        return self._rest if self._rest_alike else [i for i in self._rest if str(self.tokens[i]) in told]

    @property
    def _rest(self) -> list[int]:
        return [i for i in range(len(self.tokens)) if str(self.tokens[i]) != str(self.tokens[self.best])]

    @property
    def _rest_alike(self) -> bool:
        """Are the weights of all words but the best shown as the same?"""
        return len(set(map(self.digits, self._rest))) == 1

    @property
    def level(self) -> list[int]:
        """Words whose weight is shown as the largest, though it is less."""
        return [i for i in self._behind if self.digits(i) == self.digits(self.best)]

    @property
    def _runners(self) -> list[int]:
        """Words whose weight is shown as that of the other of the pair."""
        return [i for i in self._behind if self.pair[1:] and self.digits(i) == self.digits(self.pair[1])]

    def total(self, i: int) -> float:
        """The weight of a word at all its places: these are alike."""
        return float(self.weights[i]) * int(self.facts["opening.occurrences"][i])

    @property
    def _next(self) -> int:
        """Of the words that don't lead, the one with most weight in all."""
        return max(self._behind, key=self.total)

    @property
    def _outweighed(self) -> bool:
        """Does a word of less weight get as much as one that leads, since it stands more often?"""
        return self.total(self._next) >= min(map(self.total, self.leaders))

    @property
    def question(self) -> str:
        """What the learner decides: which word is drawn on most; or which fits best, where a word's number counts."""
        often = {int(self.facts["opening.occurrences"][i]) for i in self.leaders}
        if self._outweighed or len(often) > 1:
            return "Which word’s key fits the query of “{}” best?"
        return "Which word will “{}” draw on most?"

    @property
    def _nearly_all(self) -> bool:
        """Would the largest weight be shown as one, though it is less?"""
        return 1 - TINY < float(self.weights[self.best]) < 1

    def asks(self) -> tuple[str, list[Fact], dict[str, int]]:
        """What may give the word its meaning; marks: who, and those of the pair, in the sentence's order."""
        pair = dict(zip(places("maybe", len(self.asked)), sorted(self.asked), strict=True))
        named = [self.tokens[i] for i in (self.who, *pair.values())]
        words = ", or ".join(f"“[{mark}|{{}}]”" for mark in pair)
        who = f"{self._which}“[who|{{}}]”"
        if len(pair) == 1:
            return f"Does {who} get its meaning from {words}?", named, pair
        return f"What gives {who} its meaning: {words}?", named, pair

    @property
    def _which(self) -> str:
        """Which of its places is meant, where the word that looks stands several times."""
        same = [i for i, token in enumerate(self.tokens) if str(token) == str(self.tokens[self.who])]
        place = same.index(self.who)
        if not same[1:]:
            return ""
        return f"the {ORDINALS[place]} " if place < len(ORDINALS) else "this "

    def fits(self) -> Said:
        """Why the best gets the largest weight."""
        facts = [self.tokens[self.best], self.tokens[self.who], self.weights[self.best]]
        about = "about {}" if self.level else "{}"
        if self.tied:
            fits, equal = "No key fits the query of “{}” better than that of “{}”, but ", self.leaders[1:]
            all_equal = bool(self.facts["opening.all_tied"])
            gets = "about {}, and the others nearly as much" if self.alike and not all_equal else about
            if len(equal) == 1:
                named = [facts[1], facts[0], self.tokens[equal[0]], facts[2]]
                return f"{fits}that of “{{}}” fits just as well: each gets {gets}.", named
            return f"{fits}it has equals: each gets {gets}.", [facts[1], facts[0], facts[2]]
        if self._nearly_all:
            return "The key of “{}” fits the query of “{}” best, so it gets almost all the weight.", facts[:2]
        if self.alike:
            return "The key of “{}” fits the query of “{}” best, but by so little that all words get about {}.", facts
        it, again = ("each “{}”", facts[:1]) if self._repeated(self.best) else ("it", [])
        template = f"The key of “{{}}” fits the query of “{{}}” best, so {it} gets the largest weight: {about}."
        return template, [*facts[:2], *again, facts[2]]

    def _repeated(self, i: int) -> bool:
        return int(self.facts["opening.occurrences"][i]) > 1

    def won(self) -> Said:
        """Who gets the largest weight; marks: wins, and rival where there is one."""
        if self.tied:
            return self._shared()
        weight, named = self.weights[self.best], self.tokens[self.best]
        if self.level:
            others, facts = self._listed(self.level, "other words")
            alike = f"All words get about {{}}; “{{}}” is [wins|ahead] {AHEAD}.", [weight, named]
            ahead = f"“{{}}” is [wins|ahead] of {others} {AHEAD}: each gets about [rival|{{}}]."
            return alike if self.alike else (ahead, [named, *facts, weight])
        much = "a weight of {} each time" if self._repeated(self.best) else "a weight of {}"
        won, facts = ("almost all the weight", list[Fact]()) if self._nearly_all else (much, [weight])
        if not self.pair[1:]:
            return f"“{{}}” [wins] with {won}.", [named, *facts]
        its, get = self.weights[self.pair[1]], "gets"
        if self._rest_alike:
            other, who = "every other word", list[Fact]()
        else:
            other, who = quoted_places(len(self._runners)), [self.tokens[i] for i in self._runners]
            if who[1:]:
                get = "get"
            elif self._repeated(self.pair[1]):
                other = f"each {other}"
        if self.close:
            template = f"“{{}}” [wins] by little, with {much}; {other} {get} [rival|nearly as much]."
            return template, [named, weight, *who]
        if float(its) < TINY:
            return f"“{{}}” [wins] with {won}; {other} {get} [rival|next to nothing].", [named, *facts, *who]
        return f"“{{}}” [wins] with {much}; {other} {get} only [rival|{{}}].", [named, weight, *who, its]

    def _listed(self, words: list[int], many: str) -> Said:
        """Words by name, if they are few."""
        if len(words) > MOST_NAMED:
            return many, []
        return quoted_places(len(words)), [self.tokens[i] for i in words]

    def _shared(self) -> Said:
        weight = self.weights[self.best]
        if self.facts["opening.all_tied"]:
            return "All words get the [wins|same] weight: [rival|{}].", [weight]
        if self.alike:
            ahead, facts = self._listed(self.leaders, "some")
            return f"All words get about {{}}; {ahead} are [wins|ahead] {AHEAD}.", [weight, *facts]
        leading, facts = self._listed(self.leaders, "All other words" if self._all_lead else "Several words")
        again = " time" if any(map(self._repeated, self.leaders)) else ""
        template = f"{leading} [wins|share] the largest weight: [rival|{{}}] each{again}"
        if not self.level:
            return f"{template}.", [*facts, weight]
        others, less = self._listed(self.level, "others")
        get = "gets" if len(self.level) == 1 else "get"
        return f"{template}; {others} {get} less {AHEAD}.", [*facts, weight, *less]

    @property
    def _all_lead(self) -> bool:
        """Do all words lead but the one that looks?"""
        return self._only_who_beside(self.leaders)

    def _only_who_beside(self, words: list[int]) -> bool:
        named = {str(self.tokens[i]) for i in words}
        return all(str(token) in named for i, token in enumerate(self.tokens) if i != self.who)

    def becomes(self) -> Said:
        """What the new meaning is made of; marks: most, rest."""
        if self.facts["opening.all_tied"]:
            return "[most|an equal] share of [rest|every word]", []
        most, facts = self._listed(self.leaders, "the other words" if self._all_lead else "several words")
        told, second, most = self.leaders, self._next, f"[most|{most}]"
        nearly = NEARLY * min(map(self.total, self.leaders))
        if self._outweighed:
            most = f"the largest single {'shares' if self.tied else 'share'} from {most}"
        elif self.facts["opening.decisive"]:
            most = f"almost all of it {most}"
        elif self.total(second) <= nearly:
            most = f"most of all {most}"
        elif self._all_lead:
            return f"a little more of {most} than of [rest|“{{}}” itself]", [*facts, self.tokens[self.who]]
        elif not facts:
            return "a little more of [most|some words] than of [rest|others]", []
        elif min(map(self.total, self._behind)) > nearly:
            return f"a little more of {most} than of [rest|any other word]", facts
        else:
            most, facts, told = (
                f"a little more of {most} than of “{{}}”",
                [*facts, self.tokens[second]],
                [*told, second],
            )
        rest, itself = "everything else", list[Fact]()
        if self._only_who_beside(told):
            rest, itself = "“{}” itself", [self.tokens[self.who]]
        share = "a trace" if sum(map(self.total, told)) >= ALMOST_ALL else "a share"
        return f"{most}, and {share} of [rest|{rest}]", [*facts, *itself]
