"""The Pico in the idol's foot, as the Pi has it at the other end of the USB cable."""
