"""What all tests share."""

from hypothesis import HealthCheck, settings

# Time limits belong to benchmarks: a busy machine must not fail a property.
settings.register_profile(
    "tiki", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("tiki")
