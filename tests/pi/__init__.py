"""The companion on a Raspberry Pi's processor: `./run pi` emulates one."""
