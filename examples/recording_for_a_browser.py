"""Something to look at: a scene written as one HTML file, to be turned and played in any browser, offline.

`elbowroom view` shows the same with sliders and counters. It needs pip install 'elbowroom[view]'.
"""

from pathlib import Path

from elbowroom.viewer import Show, built_in, open_exhibit
from elbowroom.viewer.record import record

for name in ("springs", "spiral"):
    print(f"{name}: {built_in()[name]}")

# An exhibit is a body, or several, with what was found out about them. Files are opened the same way:
# open_exhibit("arm.urdf"), open_exhibit("dance.bvh"), open_exhibit("1ubq.pdb").
springs = open_exhibit("springs")
springs.set_frame(8)  # they are still apart
shown = Show(level=2, collisions=True, closest=True)
print("layers:", *sorted({layer.name for layer in springs.layers(shown)}))
for what, value in springs.counters():
    print(f"  {what}: {value}")

pictures = record(springs, "springs.html", shown)
size = Path("springs.html").stat().st_size
print(f"springs.html: {pictures} pictures, {size / 1e6:.1f} MB, nothing outside of it")
