"""The little tables behind the files: each column counts, so that a misread one costs accuracy.

All values are drawn from fixed seeds. Numbers stay clear of the limit that decides, and half of them lie on each side:
the middle one of eight quantiles finds it.
"""

import datetime
import random

ROWS = 90


def halves(draw, low, high, digits=2):
    """ROWS numbers in random order, half of them in `low` and half in `high`."""
    numbers = [round(draw.uniform(*(low if i % 2 else high)), digits) for i in range(ROWS)]
    draw.shuffle(numbers)
    return numbers


def flowers():
    """width, height, colour -> kind. Blue and wide is iris; the rest is rose if it is high, else tulip."""
    draw = random.Random(15)
    widths, heights = halves(draw, (0.5, 2.3), (2.7, 4.5)), halves(draw, (0.2, 1.3), (1.7, 2.8))
    rows = []
    for width, height in zip(widths, heights):
        colour = draw.choice(["blue", "blue", "red", "white"])
        kind = "iris" if colour == "blue" and width > 2.5 else "rose" if height > 1.5 else "tulip"
        rows.append({"width": width, "height": height, "colour": colour, "kind": kind})
    return rows


def orders():
    """amount, day, paid -> outcome. Paid goes by the day (before July or after), unpaid by the amount (1,500)."""
    draw = random.Random(16)
    amounts = halves(draw, (120.0, 1290.0), (1710.0, 2890.0))
    days = [int(d) for d in halves(draw, (0, 170), (190, 360), 0)]
    rows = []
    for amount, day in zip(amounts, days):
        paid = draw.random() < 0.5
        late = day > 180
        outcome = ("kept" if late else "swapped") if paid else ("returned" if amount > 1500 else "swapped")
        moment = datetime.datetime(2024, 1, 1) + datetime.timedelta(days=day, seconds=draw.randrange(86400))
        rows.append({"amount": amount, "day": moment.date(), "moment": moment, "paid": paid, "outcome": outcome})
    return rows


def shifts():
    """start (a time of day), hours -> shift. Starts before noon are early, unless they are long; the rest is late."""
    draw = random.Random(17)
    minutes = [int(m) for m in halves(draw, (300, 690), (750, 1200), 0)]
    hours = halves(draw, (2.0, 5.5), (6.5, 11.0), 1)
    rows = []
    for minute, hour in zip(minutes, hours):
        shift = "late" if minute > 720 else "long" if hour > 6 else "early"
        rows.append({"start": datetime.time(minute // 60, minute % 60, draw.randrange(60)), "hours": hour, "shift": shift})
    return rows


def numbers():
    """Four numbers -> 0, 1 or 2; the last number says nothing."""
    draw = random.Random(18)
    columns = [halves(draw, (0.5, 2.3), (2.7, 4.5)), halves(draw, (-9.0, -1.0), (1.0, 9.0), 1),
               halves(draw, (100, 480), (520, 900), 0), halves(draw, (0.0, 0.4), (0.6, 1.0), 3)]
    rows = []
    for a, b, c, d in zip(*columns):
        rows.append({"a": a, "b": b, "c": int(c), "d": d, "y": 0 if a > 2.5 and b > 0 else 1 if c > 500 else 2})
    return rows


def words():
    """Four columns of text -> edible or poisonous, as in a table of mushrooms."""
    draw = random.Random(19)
    rows = []
    for _ in range(ROWS):
        cap, smell, gill, place = (draw.choice(c) for c in (["x", "f", "b"], ["n", "a", "p"], ["k", "w"], ["d", "g", "u"]))
        bad = smell == "p" or (smell == "n" and gill == "w")
        rows.append({"cap": cap, "smell": smell, "gill": gill, "place": place, "class": "poisonous" if bad else "edible"})
    return rows


def bits():
    """Sparse rows over 12 features counted from 0 -> -1 or 1: feature 0 and not feature 5, or feature 7."""
    draw = random.Random(20)
    rows = []
    for _ in range(ROWS):
        on = {k for k in range(12) if draw.random() < 0.35}
        rows.append((sorted(on), 1 if (0 in on and 5 not in on) or 7 in on else -1))
    return rows


WITH_HOLES = {"width": [4, 17, 33, 60], "height": [9, 40, 71], "colour": [13, 52, 88]}


def flowers_with_holes():
    """The flowers, with ten cells that are not known (None)."""
    rows = flowers()
    for column, holes in WITH_HOLES.items():
        for row in holes:
            rows[row][column] = None
    return rows


def records(rows, columns=None):
    return [[row[c] for c in (columns or rows[0])] for row in rows]
