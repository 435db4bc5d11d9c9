"""Lines of Tiki Topple, as pages show them."""

from companion.rules.tiki_topple import TIKIS

LOKAHI_UP = ("lokahi", "hookipa", *TIKIS[2:])
CARD = {"top9": "nani", "middle5": "huhu", "bottom2": "nui"}
