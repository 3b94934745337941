"""Stands in for falsum_bench_paper: notes its arguments in $FAKE_LOG and prints a record, or fails as $FAKE_MOOD says.

MOOD: "" | "dies:2000" (at that many clauses) | "sleeps:2000" | "babbles:2000"
"""

import json
import os
import sys
import time

arguments = dict(zip(sys.argv[1::2], sys.argv[2::2]))
with open(os.environ["FAKE_LOG"], "a") as file:
    file.write(f"{os.getpid()} {arguments['--data']} {arguments['--clauses']}\n")
mood, _, clauses = os.environ.get("FAKE_MOOD", "").partition(":")
if clauses == arguments["--clauses"]:
    if mood == "dies":
        print("falsum_bench_paper: imdb is not there: put it there", file=sys.stderr)
        sys.exit(2)
    if mood == "sleeps":
        time.sleep(60)
    if mood == "babbles":
        print("hello")
        sys.exit(0)


def engine(microseconds):
    return {"microseconds": microseconds, "rounds": [microseconds] * 3, "seconds_per_pass": microseconds}


print(
    json.dumps(
        {
            "clauses": int(arguments["--clauses"]),
            "accuracy": 0.9,
            **({"epochs_learned": 1.5} if "--most-seconds" in arguments else {}),
            "learning": {"scan": engine(8.0), "index": engine(4.0), "lookahead": engine(1.0)},
            "prediction": {"scan": engine(90.0), "index": engine(9.0), "best": engine(1.0), "single": engine(3.0)},
        }
    )
)
