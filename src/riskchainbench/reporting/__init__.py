"""Tables, figures, the HTML report with its trajectory viewer, and the leaderboard.

The room turns scores and frozen runs into files for people. It scores nothing, opens no
gold and needs neither network nor display; `pipeline` hands it every value. `report` holds
the HTML report; it draws figures, which takes a while to load, so nothing is imported here.
"""
