"""The page for phones in real browsers: a household, the program that serves it, and phones that tap.

LARDER_PROGRAM is the program, LARDER_PAGE a folder of the page's files instead of those in the program, LARDER_BROWSER
one of chromium (if nothing is said), firefox and webkit, and LARDER_SCREENSHOTS a folder for pictures of the screens.
"""
