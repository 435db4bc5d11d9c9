"""Calibrating idol and tilt on the host's desk, one big button for each step."""

from typing import Final

from companion.language.message import as_sentence, message_of, say, without_stop
from companion.web.forms import MOVED_ON, Form, Refused, field
from companion.web.pages.desk import calibrations_of, intent
from companion.web.site import Site
from hardware.device import HardwareError

NO_CALIBRATION: Final = say("There is nothing of that name to calibrate.")


def calibrate_device(site: Site, form: Form) -> str:
    """Do one step of a calibration; a step that is over already is refused."""
    calibration = calibrations_of(site).get(field(form, "lesson"))
    if calibration is None:
        raise Refused(404, NO_CALIBRATION)
    press = field(form, "press")
    if press not in [known.name for known in calibration.step.presses]:
        raise Refused(409, MOVED_ON)
    try:
        calibration.press(press)
    except HardwareError as error:
        site.live_session.changed()
        raise Refused(409, as_sentence(without_stop(message_of(error)))) from None
    return "/desk#teaching"


ROUTES: Final = [intent("/teach", calibrate_device)]
