"""The whole of it on one machine: installed, started, played at, and its plug pulled at any time.

`./run image-test` boots a Debian in QEMU, lets `deploy/install.sh` make a table of it, plays by
phone and by the kernel's own pins, and kills the machine again and again. Each time the game has to
be found with everything that anybody had been shown.
"""
