"""falsum inspect --data, prune, explain and report: what they answer, and what they refuse. `make test-report` opens the page."""

import base64
import json
import re
import zlib

import pytest
from conftest import OLDER_MODEL, run_falsum


def page_data(path):
    """The JSON document inside a report."""
    packed = re.search(r'id="data">"([^"]*)"', path.read_text(encoding="utf-8"))[1]
    return json.loads(zlib.decompress(base64.b64decode(packed), -15))


def prune(*arguments):
    """What `falsum prune --json` reports. It says that the probabilities that training fitted are gone."""
    result = run_falsum("prune", *arguments, "--json")
    assert result.returncode == 0 and "run falsum calibrate again" in result.stderr, result.stderr
    return json.loads(result.stdout)


def test_rules_are_ranked_by_the_votes_they_cast(falsum, flower_model, flowers):
    found = json.loads(falsum("inspect", flower_model, "--rules", 100, "--data", flowers, "--json"))["on_data"]
    assert found["rows"] == 60 and len(found["rules"]) == found["count"] > 5
    assert sum(rule["votes_cast"] for rule in found["rules"]) == found["votes_cast"]
    for rule in found["rules"]:
        assert rule["coverage"] == pytest.approx(rule["rows"] / 60)
        assert rule["share"] == pytest.approx(rule["votes_cast"] / found["votes_cast"])
    cast = [rule["votes_cast"] for rule in sorted(found["rules"], key=lambda rule: rule["rank"])]
    assert cast == sorted(cast, reverse=True)
    few = found["carry_90_percent"]
    assert sum(cast[:few]) >= 0.9 * sum(cast) > sum(cast[: few - 1])


def test_merging_keeps_every_vote_and_pruning_says_what_it_costs(falsum, flower_model, flowers, tmp_path):
    merged = json.loads(falsum("prune", flower_model, "--lossless", "-o", tmp_path / "merged.falsum", "--json"))
    assert merged["merged"]["clauses"] <= merged["before"]["clauses"]
    assert falsum("predict", tmp_path / "merged.falsum", flowers, "--votes") == falsum("predict", flower_model, flowers, "--votes")
    pruned = prune(flower_model, flowers, "-o", tmp_path / "small.falsum", "--within", 2)
    assert pruned["after"]["clauses"] < merged["merged"]["clauses"]
    tested = json.loads(falsum("evaluate", tmp_path / "small.falsum", flowers, "--json"))["accuracy"]
    assert tested == pruned["accuracy_after"] >= pruned["accuracy_before"] - 0.02 - 1e-9
    assert "pruned from" in json.loads(falsum("inspect", tmp_path / "small.falsum", "--json"))["provenance"]["data"]


def test_a_model_may_be_replaced_by_its_pruned_self(falsum, flower_model, flowers):
    report = prune(flower_model, flowers, "-o", flower_model, "--within", 50)
    assert report["after"]["clauses"] < report["before"]["clauses"]
    assert json.loads(falsum("evaluate", flower_model, flowers, "--json"))["accuracy"] == report["accuracy_after"]


def test_the_rules_of_a_row_sum_to_its_votes_and_its_change_changes_it(falsum, flower_model, flowers, tmp_path):
    votes = json.loads(falsum("predict", flower_model, flowers, "--votes", "--json"))
    for row in (0, 1, 7):
        why = json.loads(falsum("explain", flower_model, flowers, "--row", row, "--json"))
        labels = list(why["votes"])
        assert [why["votes"][label] for label in labels] == votes[row]["votes"]
        assert {label: sum(rule["votes"] for rule in why["rules"] if rule["class"] == label) for label in labels} == why["votes"]
        change = why["smallest_change"]
        assert change["answer"] != why["answer"] and len(change["changes"]) >= 1
        told = falsum("explain", flower_model, flowers, "--row", row)
        assert f"row {row}: {why['answer']}" in told and change["changes"][0]["to"] in told


def test_what_is_one_is_told_as_one(falsum, flower_model, flowers, tmp_path):
    prune(flower_model, flowers, "-o", tmp_path / "one.falsum", "--within", 100)
    ranked = falsum("inspect", tmp_path / "one.falsum", "--rules", 1, "--data", flowers)
    assert "1 carries 90% of the votes" in ranked and "1 rule carries 90% of its votes" in ranked
    why = json.loads(falsum("explain", tmp_path / "one.falsum", flowers, "--json"))
    votes = max(why["votes"].values())
    assert f"{why['answer']}: {votes} vote{'' if abs(votes) == 1 else 's'}\n" in falsum("explain", tmp_path / "one.falsum", flowers)


def test_of_many_classes_the_first_are_told(falsum, tmp_path):
    lines = ["a,b,c,d,e,kind"] + [",".join([*(str(i >> k & 1) for k in range(5)), f"k{i}"]) for i in range(32)] * 4
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    falsum("train", tmp_path / "t.csv", "--clauses", 4, "-T", 4, "-s", 3, "--epochs", 2, "-o", tmp_path / "m.falsum")
    told = falsum("explain", tmp_path / "m.falsum", tmp_path / "t.csv")
    others = re.search(r"other votes: (.*?)\n\n", told, re.DOTALL)[1]
    assert others.count("k") == 20 and "10 others with no more votes" in " ".join(others.split())


def test_a_report_is_one_file_with_a_policy_of_its_own_script(falsum, flower_model, flowers, tmp_path):
    report = json.loads(falsum("report", flower_model, flowers, "-o", tmp_path / "r.html", "--rows", 10, "--json"))
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert report["bytes"] == len(text.encode())
    assert "default-src 'none'; script-src 'sha256-" in text
    assert not re.search(r"""(src|href)\s*=\s*["']?(https?:|//)""", text)
    data = page_data(tmp_path / "r.html")
    assert len(data["rows"]) == 10 and data["labels"] == ["iris", "rose"] and sum(rows for _, _, rows in data["confusion"]) == 60
    curve = data["reliability"]
    assert sum(count for count, _, _ in curve["bins"]) == 60
    assert curve["surest"][-1][:2] == [60, sum(rows for truth, answer, rows in data["confusion"] if truth == answer)]


def test_a_report_has_the_scores_of_the_command(falsum, flowers, tmp_path):
    model = tmp_path / "m.falsum"
    falsum("train", flowers, "--clauses", 20, "-T", 10, "-s", 3, "--epochs", 4, "--snapshots", 3, "-o", model)
    falsum("report", model, flowers, "-o", tmp_path / "r.html")
    data = page_data(tmp_path / "r.html")
    tested = json.loads(falsum("evaluate", model, flowers, "--probabilities", "--json"))
    curve = data.get("calibrated", data["reliability"])
    assert curve["error"] == pytest.approx(tested["probabilities"]["calibration_error"])
    assert data["scores"]["accuracy"] == pytest.approx(tested["accuracy"])
    assert all(tested["confusion"][truth][answer] == rows for truth, answer, rows in data["confusion"])


HOSTILE = "</script><img src=x onerror=alert(1)>"


def test_names_do_not_end_the_script_of_a_report(falsum, tmp_path):
    lines = [f'"{HOSTILE}",kind'] + [f'{i % 7}.5,"{HOSTILE if i % 7 > 3 else "no"}"' for i in range(60)]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    falsum("train", tmp_path / "t.csv", "--label", "kind", "--clauses", 10, "--epochs", 2, "-o", tmp_path / "m.falsum")
    falsum("report", tmp_path / "m.falsum", tmp_path / "t.csv", "-o", tmp_path / "r.html")
    assert "onerror" not in (tmp_path / "r.html").read_text()
    assert HOSTILE in page_data(tmp_path / "r.html")["labels"]
    assert HOSTILE in falsum("explain", tmp_path / "m.falsum", tmp_path / "t.csv")


WITH_DATA = {"report": ["-o", "out"], "prune": ["-o", "out"], "explain": [], "inspect": ["--rules", 2]}


@pytest.mark.parametrize("command", WITH_DATA)
@pytest.mark.parametrize("wrong", ["no model", "no data", "not a model", "cut model", "empty", "only a header", "other columns"])
def test_files_that_do_not_fit_are_refused(refuses, flower_model, flowers, tmp_path, command, wrong):
    model, data, bad = flower_model, flowers, tmp_path / "bad"
    says = {"no model": "bad", "no data": "bad", "not a model": "is not a falsum model", "cut model": "damaged", "empty": "is empty",
            "only a header": "has no rows", "other columns": "width"}[wrong]  # fmt: skip
    contents = {"not a model": b"rubbish", "cut model": flower_model.read_bytes()[:150], "empty": b"",
                "only a header": flowers.read_bytes().split(b"\n")[0] + b"\n", "other columns": b"a,b\n1,2\n"}  # fmt: skip
    if wrong in contents:
        bad.write_bytes(contents[wrong])
    if wrong in ("no model", "not a model", "cut model"):
        model = bad
    else:
        data = bad
    given = [model, "--data", data] if command == "inspect" else [model, data]
    refuses(command, *given, *[tmp_path / "out" if word == "out" else word for word in WITH_DATA[command]], says=[says])
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "arguments, says",
    [
        (["prune", "MODEL", "DATA", "-o", "out", "--within", 101], "within must be from 0 to 100, got 101"),
        (["prune", "MODEL", "DATA", "-o", "out", "--within", "nan"], "within must be a number (0..100), got nan"),
        (["prune", "MODEL", "-o", "out"], "DATA is needed"),
        (["prune", "MODEL", "DATA", "--lossless", "-o", "out"], "leave DATA out"),
        (["prune", "MODEL", "DATA", "-o", "DATA"], "same file"),
        (["prune", "MODEL", "DATA", "-o", "/dev/full"], "No space left"),
        (["report", "MODEL", "DATA", "-o", "/dev/full"], "No space left"),
        (["report", "MODEL", "DATA", "-o", "missing/r.html"], "missing"),
        (["report", "MODEL", "DATA", "-o", "MODEL"], "same file"),
        (["report", "MODEL", "DATA", "-o", "OTHER"], "is a falsum model"),
        (["report", "MODEL", "DATA", "-o", "out", "--rows", 0], "rows must be from 1 to 100000, got 0"),
        (["explain", "MODEL", "DATA", "--row", 60], "row must be below 60"),
        (["explain", "MODEL", "DATA", "--to", "tulip"], "to must be one of the model's labels (iris, rose), got tulip"),
        (["explain", "MODEL", "DATA", "--rules", 0], "rules must be from 1 to 1000000, got 0"),
    ],
)
def test_wrong_calls_are_refused(refuses, flower_model, flowers, tmp_path, arguments, says):
    other = tmp_path / "other.falsum"
    other.write_bytes(OLDER_MODEL)
    places = {
        "MODEL": flower_model,
        "DATA": flowers,
        "OTHER": other,
        "out": tmp_path / "out",
        "missing/r.html": tmp_path / "missing/r.html",
    }
    before = flower_model.read_bytes()
    refuses(*[places.get(word, word) for word in arguments], says=[says])
    assert not (tmp_path / "out").exists() and flower_model.read_bytes() == before


def test_fuzzy_clauses_are_pruned_too(falsum, tmp_path):
    model, small = tmp_path / "m.falsum", tmp_path / "small.falsum"
    falsum("train", "noisy-xor", "--clauses", 10, "-T", 10, "--fuzzy", 5, "--max-literals", 6, "--epochs", 2, "-o", model)
    falsum("prune", model, "--lossless", "-o", small)
    assert falsum("predict", small, "noisy-xor", "--votes") == falsum("predict", model, "noisy-xor", "--votes")
    pruned = prune(model, "noisy-xor", "-o", small, "--within", 5)
    assert pruned["after"]["clauses"] < pruned["before"]["clauses"]
    assert json.loads(falsum("evaluate", small, "noisy-xor", "--json"))["accuracy"] == pruned["accuracy_after"]
    falsum("report", small, "noisy-xor", "-o", tmp_path / "r.html")
    assert page_data(tmp_path / "r.html")["fuzzy"] == 5
