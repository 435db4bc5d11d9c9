"""The companion on a real kernel: `./run hil` builds a machine, and runs `inside` in it."""
