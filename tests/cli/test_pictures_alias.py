"""The former name of elbowroom.pictures."""

from __future__ import annotations

import pytest

from elbowroom import pictures, view


@pytest.mark.parametrize("name", pictures.__all__)
def test_the_old_module_gives_the_same_objects_with_a_warning(name: str) -> None:
    with pytest.warns(DeprecationWarning, match=rf"use elbowroom\.pictures\.{name}"):
        assert getattr(view, name) is getattr(pictures, name)


def test_the_old_module_has_no_other_names() -> None:
    with pytest.raises(AttributeError, match="nothing"):
        view.nothing  # noqa: B018
