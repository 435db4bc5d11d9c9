"""Runs once before the USB port appears: a data port for the Pi, beside the console."""

import supervisor
import usb_cdc

usb_cdc.enable(console=True, data=True)
supervisor.set_usb_identification(manufacturer="Tiki Companion", product="Tiki Pico")
