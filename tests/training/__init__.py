"""The code that makes the networks and the films; none of it is in the wheel."""
