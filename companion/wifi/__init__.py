"""The table's own Wi-Fi: where no network is, a phone joins it and brings the table into one."""
