"""What runs in the machine of `./run image-test`, beside the table."""
