"""Old spellings: they still work, with a DeprecationWarning that names the new one."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def renamed(old: str, new: str, stacklevel: int = 2) -> None:
    """Warns the caller of the function that calls this."""
    warnings.warn(f"{old} is deprecated: use {new}", DeprecationWarning, stacklevel=stacklevel + 1)


def old_argument(
    old: str, new: str, convert: Callable[..., Any] = lambda value, _: value
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Lets a function take the keyword `old` for `new`; `convert(value, what new was given)` translates."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(function)
        def accepting(*args: P.args, **kwargs: P.kwargs) -> R:
            if old in kwargs:
                renamed(f"{old}=", f"{new}=")
                kwargs[new] = convert(kwargs.pop(old), kwargs.get(new))
            return function(*args, **kwargs)

        return accepting

    return decorate


def with_renamed(state: dict[str, Any], old: str, new: str) -> dict[str, Any]:
    """The state of a pickle in which a field may have its old name."""
    return {new if name == old else name: value for name, value in state.items()}


class _NumberOnce(int):
    """A method that can be read as a number, with a warning."""

    method: Callable[..., Any]
    texts: tuple[str, str]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.method(*args, **kwargs)


def plain_number(value: Any, stacklevel: int) -> Any:
    """What was given, as a number if it was one; warns so many calls above."""
    if not isinstance(value, _NumberOnce):
        return value
    renamed(*value.texts, stacklevel=stacklevel)
    return int.__int__(value)


def _warning(name: str) -> Callable[..., Any]:
    def operate(self: _NumberOnce, *args: Any) -> Any:
        renamed(*self.texts)
        return getattr(int, name)(self, *args)

    return operate


for _name in (
    *("eq", "ne", "lt", "le", "gt", "ge"),
    *("add", "radd", "sub", "rsub", "mul", "rmul", "int", "index", "repr"),
):
    setattr(_NumberOnce, f"__{_name}__", _warning(f"__{_name}__"))
_NumberOnce.__hash__ = int.__hash__  # type: ignore[method-assign]


class _MethodOnceNumber(Generic[P, R]):
    def __init__(self, method: Callable[Concatenate[Any, P], R], texts: tuple[str, str]) -> None:
        functools.update_wrapper(self, method)  # type: ignore[arg-type]
        self._method, self._texts = method, texts

    def __get__(self, owner: Any, kind: type | None = None) -> Callable[P, R]:
        if owner is None:
            return self._method  # type: ignore[return-value]
        bound = _NumberOnce(getattr(owner, self._texts[1]))
        bound.method, bound.texts = functools.partial(self._method, owner), self._texts
        return bound


def once_a_number(
    old: str, new: str
) -> Callable[[Callable[Concatenate[Any, P], R]], _MethodOnceNumber[P, R]]:
    """A method that took over the name of a number, which now is `new`: it can be read as that number too."""
    return lambda method: _MethodOnceNumber(method, (old, new))
