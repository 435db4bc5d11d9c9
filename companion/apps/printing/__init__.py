"""What is printed, as PDF at true scale: corner tiles, board stickers, a check ruler, seat cards.

`choices`: what there is; `paper`: a page in millimetres; `rulers`: what every page has; `plans`:
small drawings; `markers`: the codes that the camera looks for; `tiles`, `stickers`, `check_ruler`,
`seat_cards`: what is on the sheets; `booklet`: pages as a PDF; `sheets`: all put together;
`printers`: how it gets onto paper; `dialogues`: how by hand; `known_scales`: what went wrong if it
is smaller there.

All sizes are those of the table that the readers know, so that neither can drift.  reportlab is
loaded with `paper`: nobody who plays needs it, and `choices` does without.
"""
