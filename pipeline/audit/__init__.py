"""The layout audit: plays a chapter without drawing it, and finds what a viewer would see wrong.

Chapters are looked at when a play has ended, while they wait, and at least three times within each play. What is found:

- **overlaps**: letters of two texts share more than 3 px both ways. A text on its own copy is one text.
- **runs into**: two figures on one baseline are less than half a space apart, and so read as one number.
- **is crossed by**: what is seen behind a text is not one even ground: a line or an arc runs through its letters or
  between them, or it hangs over the edge of its cell. What lies under a plate or a knock-out is not seen. So a shape
  belongs to a text when all of the text lies on it, or none of it does, as within a ring.
- **is partly hidden by**: a shape in front of a text covers some of it. A text that is covered as a whole is not there.
- **leaves the safe area**: a text or a shape reaches into the outer 5% of the frame.
- **is too small**: the em of the line, as set and scaled since, is below 1/30 of the frame's height. Indices and
  exponents are smaller by the typesetter's rules; the line's em counts.
- **is too faint on**: its colour, opacity included, has a contrast below 4.5:1 (WCAG 2) with what is behind it. Text
  that is meant to recede is no exception: the roles `dim` and `quiet` keep 4.5:1.

Within a play, contrast, size and gaps are not judged, since texts fade, grow and pass there; nor is what crosses or
covers a text that fades. What stands still is otherwise held to the rules. Where one of the two things moves, a text
may be over another, and a shape over a text, for less than 0.5 s; what moves may come from outside the safe area.
"""
