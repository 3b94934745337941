"""tools/coverage_table.py SUMMARY: gcovr's summary as a table, a line for each folder of the library."""

import collections
import json
import sys

folders = collections.defaultdict(lambda: [0, 0])
with open(sys.argv[1], encoding="utf-8") as file:
    for entry in json.load(file)["files"]:
        for name in (entry["filename"].split("/")[1], "all"):
            folders[name][0] += entry["line_covered"]
            folders[name][1] += entry["line_total"]
print(f"{'folder':<12}{'lines':>8}{'run by unit tests':>20}")
for name, (covered, total) in sorted(folders.items(), key=lambda item: (item[0] == "all", item[0])):
    print(f"{name:<12}{total:>8}{100 * covered / total:>19.1f}%")
