"""What the viewer shows: exhibits of bodies from files and of built-in scenes, as arrays.

`open_exhibit` and `exhibit_of` make one; its `layers` are what is to be seen of it, as balls, meshes,
segments and boxes. `elbowroom view` puts them into a browser.

>>> from elbowroom.viewer import Show, open_exhibit
>>> springs = open_exhibit("springs")
>>> springs.set_frame(8)
>>> [layer.name for layer in springs.layers(Show(level=2))]
['body/spring', 'body/other', 'hierarchy/2/spring', 'hierarchy/2/other']
>>> springs.counters()[0]
('verdict', 'free, proved')
"""

from .built_in import built_in
from .exhibit import Control, Exhibit, Show
from .exhibit_bodies import exhibit_of
from .exhibit_open import open_exhibit
from .layers import Balls, Boxes, Layer, Segments, Triangulated

__all__ = [
    "Balls",
    "Boxes",
    "Control",
    "Exhibit",
    "Layer",
    "Segments",
    "Show",
    "Triangulated",
    "built_in",
    "exhibit_of",
    "open_exhibit",
]
