"""Pydantic's errors in the words of a lesson file: the key, what is wrong, what is allowed."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ValidationError

from lesson.errors import FaultError

WANTED = {
    "float_type": "a number",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "string_type": "a text",
    "tuple_type": "a list",
    "dict_type": "a table",
    "model_type": "a table",
    "model_attributes_type": "a table",
}


def first_fault(error: ValidationError, model: type[BaseModel]) -> FaultError:
    """The first fault of a failed validation; later ones are only counted."""
    details = error.errors(include_url=False)
    first = details[0]
    names = _names(first["loc"])
    key = dotted(names)
    wrong, allowed = _told(first, names, model)
    keys = {dotted(_names(detail["loc"])) for detail in details} - {key}
    more = f" (and {len(keys)} more {'fault' if len(keys) == 1 else 'faults'})" if keys else ""
    return FaultError(key, wrong, allowed + more)


def dotted(names: Sequence[str | int]) -> str:
    """("worked_example", "keys", 1) -> "worked_example.keys[1]"."""
    key = ""
    for name in names:
        if isinstance(name, int):
            key += f"[{name}]"
        else:
            key += f".{name}" if key else name
    return key


def _names(loc: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """Pydantic's place without the names of the union's branches it tried, and without its "[key]" mark."""
    branches = ("int", "str", "[key]")
    return tuple(name for name in loc if not (isinstance(name, str) and name in branches))


def _told(detail: Any, names: tuple[str | int, ...], model: type[BaseModel]) -> tuple[str, str]:
    kind, given, ctx = detail["type"], detail["input"], detail.get("ctx", {})
    if kind == "extra_forbidden":
        known = list(_model_at(names[:-1], model).model_fields)
        near = difflib.get_close_matches(str(names[-1]), known, n=1)
        return "unknown key" + (f", did you mean {near[0]}?" if near else ""), ", ".join(known)
    allowed = _allowed(names, model)
    if kind == "missing":
        return "is missing", allowed
    if kind == "value_error":
        return str(ctx["error"]), allowed
    if kind in ("too_short", "too_long"):
        count = ctx["actual_length"]
        return f"has {count} {'entry' if count == 1 else 'entries'}", allowed
    if kind in ("string_too_short", "string_too_long"):
        return f"{given!r} has {len(given)} characters", allowed
    if kind in WANTED:
        return f"{_shown(given)} is not {WANTED[kind]}", allowed
    if kind == "finite_number":
        return f"{_shown(given)} is not finite", allowed
    return f"{_shown(given)} is not allowed", allowed


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
