"""Pydantic's errors in the words of a lesson file: the key, what is wrong, what is allowed."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ValidationError

from lesson.errors import Fault, dotted, shown

IS = {
    "float_type": "not a number",
    "int_type": "not a whole number",
    "bool_type": "not true or false",
    "string_type": "not a text",
    "tuple_type": "not a list",
    "dict_type": "not a table",
    "mapping_type": "not a table",
    "model_type": "not a table",
    "finite_number": "not finite",
    "greater_than": "too small",
    "greater_than_equal": "too small",
    "less_than_equal": "too large",
}


def faults_of(error: ValidationError, model: type[BaseModel]) -> list[Fault]:
    """All faults of a failed validation, misspelt keys first."""
    details: list[dict[str, Any]] = [{**detail, "loc": _place(detail)} for detail in error.errors(include_url=False)]
    details.sort(key=lambda detail: detail["type"] != "extra_forbidden")
    places = [detail["loc"] for detail in details]
    meant = {(*d["loc"][:-1], _nearest(d["loc"], model)) for d in details if d["type"] == "extra_forbidden"}
    return [
        Fault(dotted(detail["loc"]), *_told(detail, detail["loc"], model))
        for detail in details
        if not _follows_from_others(detail, places, meant)
    ]


def _place(detail: Any) -> tuple[str | int, ...]:
    """Where a fault lies; of a name that is at fault itself, pydantic says so behind it."""
    *names, last = detail["loc"]
    return tuple(names) if last == "[key]" and names[-1:] == [detail["input"]] else (*names, last)


def _follows_from_others(detail: Any, places: list[tuple[str | int, ...]], meant: set[tuple[str | int, ...]]) -> bool:
    """Whether a list is too short only because an entry was refused, or a key missing because it is misspelt."""
    inside = detail["type"] == "too_short" and _any_inside(detail["loc"], places)
    return inside or (detail["type"] == "missing" and detail["loc"] in meant)


def _any_inside(outer: tuple[str | int, ...], places: list[tuple[str | int, ...]]) -> bool:
    return any(len(place) > len(outer) and place[: len(outer)] == outer for place in places)


def _told(detail: Any, names: tuple[str | int, ...], model: type[BaseModel]) -> tuple[str, str]:
    """What is wrong, and what is allowed instead."""
    if detail["type"] == "extra_forbidden":
        near = _nearest(names, model)
        return "unknown key" + (f", did you mean {near}?" if near else ""), ", ".join(_known(names, model))
    return _wrong(detail["type"], detail["input"], detail.get("ctx", {})), _allowed(names, model)


def _known(names: tuple[str | int, ...], model: type[BaseModel]) -> list[str]:
    """The keys of the table that `names` leads into."""
    return list(_model_at(names[:-1], model).model_fields)


def _nearest(names: tuple[str | int, ...], model: type[BaseModel]) -> str:
    """The key that an unknown one may have been meant to be, or ""."""
    return next(iter(difflib.get_close_matches(str(names[-1]), _known(names, model), n=1)), "")


def _wrong(kind: str, given: Any, ctx: dict[str, Any]) -> str:
    if kind == "missing":
        return "is missing"
    if kind == "value_error":
        return str(ctx["error"])
    if kind in ("too_short", "too_long"):
        count = len(given)
        return f"has {count} {'entry' if count == 1 else 'entries'}"
    if kind in ("string_too_short", "string_too_long"):
        return f"{shown(given)} has {len(given)} characters"
    if kind == "float_type" and type(given) is int:
        kind = "less_than_equal"  # a number after all, but more than a float holds
    return f"{shown(given)} is {IS.get(kind, 'not allowed')}"


def _model_at(names: Sequence[str | int], model: type[BaseModel]) -> type[BaseModel]:
    """The model that the named tables lead to."""
    for name in names:
        annotation = model.model_fields[str(name)].annotation
        assert isinstance(annotation, type)
        assert issubclass(annotation, BaseModel)
        model = annotation
    return model


def _allowed(names: Sequence[str | int], model: type[BaseModel]) -> str:
    """The description of the deepest field on the way to `names`."""
    allowed = ""
    for name in names:
        field = model.model_fields.get(str(name))
        if field is None:
            break
        allowed = field.description or allowed
        if not (isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel)):
            break
        model = field.annotation
    return allowed
