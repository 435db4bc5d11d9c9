"""What is done on an emulated board; each module is a job that tests/pi/init.sh runs."""
