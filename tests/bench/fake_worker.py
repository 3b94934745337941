"""A system for the tests of bench/peers: answers at once, with times it was told on its command line.

argv: seconds a sample, then "dies" to end at the first learning, "refuses" to answer it with an error, "babbles" to
answer it with no JSON.
"""

import json
import sys

unprepared = 3
each, mood = float(sys.argv[1]), sys.argv[2:]
for line in sys.stdin:
    request = json.loads(line)
    what, count = request["do"], request.get("count", 0)
    if what == "learn" and "dies" in mood:
        sys.exit(7)
    if what == "learn" and "babbles" in mood:
        print("Epoch 1 of 1", flush=True)
        continue
    answer = {"samples": count, "cpu": each * count, "wall": 2 * each * count, "peak_memory": 5_000_000}
    if what == "learn" and "refuses" in mood:
        answer = {"error": "no such luck"}
    elif what == "open":
        answer = {"total_clauses": 2 * request["clauses"]}
    elif what in ("predict", "single"):
        answer["accuracy"] = 0.75
        answer["prepare"], unprepared = unprepared, 0
    elif what == "save":
        with open(request["path"], "w") as file:
            file.write("trained")
    print(json.dumps(answer), flush=True)
