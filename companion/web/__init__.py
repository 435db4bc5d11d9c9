"""The pages: what phones and screens on the network show, and what people enter there."""
