"""Two articulated bodies: when does a hand touch a ball on a table, with which links, and how deep?"""

import numpy as np

import elbowroom as er
from elbowroom import scenes

flicked = scenes.hand_and_ball(1_000)
hand = er.Articulated(flicked.hand.links, flicked.hand.joints)
table = er.Articulated(flicked.table.links, flicked.table.joints)
hand.move(flicked.hand.motion)  # all frames of both: frame k of the one meets frame k of the other
table.move(flicked.table.motion)

found = er.collide(hand, table, every=True, depth=True)
print(f"{found.hits.sum()} of {len(found.hits)} frames have a contact")
for i, j in np.unique(found.pairs, axis=0):
    rows = (found.pairs == (i, j)).all(axis=1)
    depth = found.contacts.depths[rows].max()
    print(
        f"  {hand.link_names[i]} and {table.link_names[j]} in {rows.sum()} frames, up to {depth:.2f} cm deep"
    )

# How near they come in the others, and between which links that is.
distances = er.distance(hand, table)
free = np.flatnonzero(~found.hits)
nearest = free[distances.values[free].argmin()]
i, j = distances.pairs[nearest]
names = f"{hand.link_names[i]} and {table.link_names[j]}"
print(f"else {distances.values[nearest]:.3f} cm at least: {names}, frame {nearest}")
