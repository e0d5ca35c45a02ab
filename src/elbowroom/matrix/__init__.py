"""Which pairs of links of a robot can collide, by proof."""
