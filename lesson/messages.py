"""Pydantic's errors in the words of a lesson file: the key, what is wrong, what is allowed."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ValidationError

from lesson.errors import FaultError, dotted

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


def first_fault(error: ValidationError, model: type[BaseModel]) -> FaultError:
    """The first fault of a failed validation; later ones are only counted."""
    details = error.errors(include_url=False)
    # A misspelt key comes before the key it leaves missing. A list that is too short only because an entry was
    # refused is no fault of its own.
    details.sort(key=lambda detail: detail["type"] != "extra_forbidden")
    places = [detail["loc"] for detail in details]
    faults = [d for d in details if d["type"] != "too_short" or not _any_inside(d["loc"], places)]
    names = faults[0]["loc"]
    wrong, allowed = _told(faults[0], names, model)
    others = len({detail["loc"] for detail in faults} - {names})
    more = f" (and {others} more {'fault' if others == 1 else 'faults'})" if others else ""
    return FaultError(dotted(names), wrong, allowed + more)


def _any_inside(outer: tuple[str | int, ...], places: list[tuple[str | int, ...]]) -> bool:
    return any(len(place) > len(outer) and place[: len(outer)] == outer for place in places)


def _told(detail: Any, names: tuple[str | int, ...], model: type[BaseModel]) -> tuple[str, str]:
    """What is wrong, and what is allowed instead."""
    if detail["type"] == "extra_forbidden":
        known = list(_model_at(names[:-1], model).model_fields)
        near = difflib.get_close_matches(str(names[-1]), known, n=1)
        return "unknown key" + (f", did you mean {near[0]}?" if near else ""), ", ".join(known)
    return _wrong(detail["type"], detail["input"], detail.get("ctx", {})), _allowed(names, model)


def _wrong(kind: str, given: Any, ctx: dict[str, Any]) -> str:
    if kind == "missing":
        return "is missing"
    if kind == "value_error":
        return str(ctx["error"])
    if kind in ("too_short", "too_long"):
        count = len(given)
        return f"has {count} {'entry' if count == 1 else 'entries'}"
    if kind in ("string_too_short", "string_too_long"):
        return f"{_shown(given)} has {len(given)} characters"
    return f"{_shown(given)} is {IS.get(kind, 'not allowed')}"


def _shown(given: object) -> str:
    text = str(given).lower() if isinstance(given, bool) else repr(given)
    return text if len(text) <= 40 else text[:37] + "..."


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
