import os

# Two processes of tests on two cores: the linear algebra's own threads would only wait for each
# other, at twice the time. Read when numpy is imported, also by the commands that tests start.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
