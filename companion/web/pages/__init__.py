"""The pages: what phones and screens show, and the forms that people send from them."""
