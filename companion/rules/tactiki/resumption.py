"""How TacTiki goes on from columns that the people have adopted."""

from companion.language.message import say
from companion.rules.base import IllegalAction
from companion.rules.tactiki.pieces import HOME, SIZE, TRIBES, is_statue, look_of, tops_of
from companion.rules.tactiki.play import can_act
from companion.rules.tactiki.state import State


def resumed(state: State, seat: int) -> State:
    """Return *state*, whose columns the people have adopted, at the start of a turn of *seat*.

    A statue that stands there has won (TA-11). Raises IllegalAction if *seat* cannot act (TA-12).
    """
    columns = state.columns
    look = look_of(columns)
    state = state._replace(
        phase="move",
        seat=seat,
        moved=0,
        tops=tops_of(columns),
        field=0,
        turns=state.turns + 1,
        quiet=0,
        look=look,
        seen=(look + seat,),
        claim=False,
    )
    for owner in (0, 1):
        far = HOME[1 - owner] * SIZE
        if any(is_statue(each, owner, state.options.statue) for each in columns[far : far + SIZE]):
            return state._replace(phase="over", seat=owner, ended_by="TA-11")
    if not can_act(state, seat):
        raise IllegalAction(say("{side} would have no move there", side=TRIBES[seat]), "TA-12")
    return state
