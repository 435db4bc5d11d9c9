"""The soak: whole games at the real daemon while everything that can go wrong does.

`./run soak` plays games to their end by random taps and meanwhile kills the daemon, stops it, fills
its disk, damages its log, crowds it with half-open connections and sends it nonsense. It counts
what was lost, wrong, stuck, leaked or broken; all of it has to be nothing.
"""
