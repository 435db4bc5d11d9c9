"""What people read and hear, in their own language.

Code says a message in English, with `message.say`; whoever shows it translates it, with
`speech.translated`.  What lies between may treat it as the English text that it is.
"""
