"""Facts: the lesson's numbers and words, each with its key. They cannot be changed, nor computed with."""

from __future__ import annotations

import difflib
import hashlib
import math
import operator
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Value: TypeAlias = npt.NDArray[Any] | float | int | bool | str | tuple[str, ...]
Plain: TypeAlias = dict[str, "Plain"] | list["Plain"] | float | int | bool | str


class UnknownFactError(KeyError):
    """No fact has this key; the message names the nearest ones."""

    def __str__(self) -> str:
        return str(self.args[0])


class Fact:
    """One value and its key. Indexing gives the entry or row as a fact that still knows where it came from.

    `value` is a Python float, int, bool or str, a tuple of str, or a read-only array of float64, int64 or
    bool. Two facts compare by identity; compare their values. There is no arithmetic and no truth value of
    numbers: what a picture needs is a fact of its own.
    """

    __slots__ = ("_key", "_value")

    def __init__(self, key: str, value: object) -> None:
        """Raises ValueError for NaN or infinity and TypeError for a value of any other kind."""
        self._key = key
        self._value = _canonical(key, value)

    @property
    def key(self) -> str:
        """Dotted key with indices, such as "sequence.q[1,2]"."""
        return self._key

    @property
    def value(self) -> Any:
        """The plain value; arrays are read-only."""
        return self._value

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array; (length,) of a tuple; () of a scalar."""
        if isinstance(self._value, np.ndarray):
            return self._value.shape
        return (len(self._value),) if isinstance(self._value, tuple) else ()

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError(f"{self.key} is a single value: it has no length")
        return self.shape[0]

    def __getitem__(self, index: int | tuple[int, ...]) -> Fact:
        """The entry or row at `index` (from 0; negative from the end). IndexError names the key."""
        indices = index if isinstance(index, tuple) else (index,)
        places = [operator.index(i) for i in indices]
        if not 0 < len(places) <= len(self.shape):
            raise IndexError(f"{self.key} has {len(self.shape)} axes, not {len(places)}")
        for axis, (place, length) in enumerate(zip(places, self.shape, strict=False)):
            if not -length <= place < length:
                raise IndexError(f"{self.key} has {length} entries on axis {axis}: no index {place}")
            places[axis] = place % length
        whole = self.value
        value = whole[places[0]] if isinstance(whole, tuple) else whole[tuple(places)]
        return Fact(_indexed(self.key, places), value)

    def __iter__(self) -> Iterator[Fact]:
        """Entries along the first axis."""
        return (self[i] for i in range(len(self)))

    def __float__(self) -> float:
        if isinstance(self._value, float | int) and not isinstance(self._value, bool):
            return float(self._value)
        raise TypeError(f"{self.key} is no single number")

    def __int__(self) -> int:
        if isinstance(self._value, int) and not isinstance(self._value, bool):
            return self._value
        raise TypeError(f"{self.key} is no single whole number")

    def __str__(self) -> str:
        if self.shape:
            raise TypeError(f"{self.key} has shape {self.shape}: take one entry, or its value")
        return str(self._value)

    def __bool__(self) -> bool:
        if isinstance(self._value, bool):
            return self._value
        raise TypeError(f"{self.key} is neither true nor false: use its value")

    def __repr__(self) -> str:
        return f"Fact({self.key!r}, {self._value!r})"

    def __setattr__(self, name: str, value: object) -> None:
        if hasattr(self, name):
            raise AttributeError(f"{self.key} is a fact: it cannot be changed")
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{self.key} is a fact: it cannot be changed")

    def __reduce__(self) -> tuple[type[Fact], tuple[str, Value]]:
        # NumPy forgets on pickling that an array is read-only; building the fact anew freezes it again.
        return Fact, (self._key, self._value)


class Facts:
    """All facts of a lesson by key, frozen."""

    __slots__ = ("_facts",)
    _facts: dict[str, Fact]

    def __init__(self, values: Mapping[str, object]) -> None:
        """Raises ValueError or TypeError for a value no fact can hold, and for a key that is also a group."""
        facts = {key: Fact(key, values[key]) for key in sorted(values)}
        for key in facts:
            parents = key.split(".")[:-1]
            for end in range(1, len(parents) + 1):
                if ".".join(parents[:end]) in facts:
                    raise ValueError(f"fact {'.'.join(parents[:end])} cannot also be the group of {key}")
        object.__setattr__(self, "_facts", facts)

    def __getitem__(self, key: str) -> Fact:
        """The fact with this key; UnknownFactError (a KeyError) names the nearest keys."""
        fact: Fact | None = self._facts.get(key)
        if fact is None:
            near = difflib.get_close_matches(str(key), self._facts, n=3)
            hint = f"; nearest: {', '.join(near)}" if near else ""
            raise UnknownFactError(f"no fact is called {key!r}{hint}")
        return fact

    def __contains__(self, key: object) -> bool:
        return key in self._facts

    def __len__(self) -> int:
        return len(self._facts)

    def __iter__(self) -> Iterator[str]:
        return iter(self._facts)

    def keys(self) -> tuple[str, ...]:
        """All keys, sorted."""
        return tuple(self._facts)

    def digest(self, key: str) -> str:
        """SHA-256 (hex) over kind, shape and content of the value; equal values have equal digests."""
        return hashlib.sha256(_canonical_bytes(self[key].value)).hexdigest()

    def to_dict(self) -> dict[str, Plain]:
        """Nested plain data for JSON: arrays as lists, nothing rounded, everything finite."""
        tree: dict[str, Plain] = {}
        for key, fact in self._facts.items():
            *groups, name = key.split(".")
            branch = tree
            for group in groups:
                branch = branch.setdefault(group, {})  # type: ignore[assignment]
            branch[name] = _plain(fact.value)
        return tree

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("facts cannot be changed")

    def __reduce__(self) -> tuple[type[Facts], tuple[dict[str, Value]]]:
        return Facts, ({key: fact.value for key, fact in self._facts.items()},)


class FactReader:
    """Facts as seen by one scene: the same access, and it remembers which were read."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._reads: set[str] = set()

    def __getitem__(self, key: str) -> Fact:
        """As `Facts[...]`; a key that exists counts as read."""
        fact = self._facts[key]
        self._reads.add(key)
        return fact

    @property
    def reads(self) -> tuple[str, ...]:
        """Keys read so far, sorted."""
        return tuple(sorted(self._reads))


def _indexed(key: str, places: list[int]) -> str:
    """("q", [1]) -> "q[1]";  ("q[1]", [2]) -> "q[1,2]"."""
    listed = ",".join(str(place) for place in places)
    return f"{key[:-1]},{listed}]" if key.endswith("]") else f"{key}[{listed}]"


def _canonical(key: str, value: object) -> Value:
    """The one form each kind of value is kept in: no NumPy scalars, no -0.0, little-endian frozen arrays."""
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        value = value.item()
    if isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"fact {key} is {value}: facts are finite")
        return value + 0.0  # -0.0 becomes 0.0
    if isinstance(value, tuple | list) and all(isinstance(entry, str) for entry in value):
        return tuple(value)
    if isinstance(value, np.ndarray):
        return _canonical_array(key, value)
    raise TypeError(f"fact {key} cannot be a {type(value).__name__}")


def _canonical_array(key: str, value: npt.NDArray[Any]) -> npt.NDArray[Any]:
    kinds = {"f": "<f8", "i": "<i8", "u": "<i8", "b": "|b1"}
    if value.dtype.kind not in kinds:
        raise TypeError(f"fact {key} cannot be an array of {value.dtype}")
    if value.dtype.kind == "f" and not np.isfinite(value).all():
        raise ValueError(f"fact {key} holds NaN or infinity: facts are finite")
    array = np.array(value, dtype=kinds[value.dtype.kind], order="C", copy=True)
    if array.dtype.kind == "f":
        array += 0.0  # -0.0 becomes 0.0
    array.setflags(write=False)
    return array


def _canonical_bytes(value: Value) -> bytes:
    """Kind, shape and content, unambiguous and independent of platform and process."""
    if isinstance(value, np.ndarray):
        return f"array {value.dtype.str} {list(value.shape)}\n".encode() + value.tobytes(order="C")
    if isinstance(value, tuple):
        parts = [entry.encode() for entry in value]
        return f"words {[len(part) for part in parts]}\n".encode() + b"".join(parts)
    kind = type(value).__name__
    return f"{kind}\n{value.hex() if isinstance(value, float) else value}".encode()


def _plain(value: Value) -> Plain:
    if isinstance(value, np.ndarray):
        return value.tolist()  # type: ignore[no-any-return]
    return list(value) if isinstance(value, tuple) else value
