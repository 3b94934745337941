"""bench/peers without any peer: what it makes of times, how it treats systems that fail, what it refuses."""

import ctypes
import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench" / "peers"))

import generated  # noqa: E402
import measure  # noqa: E402
import rows  # noqa: E402
import run  # noqa: E402
import summary  # noqa: E402
import systems  # noqa: E402

SHAPE = {"features": 10, "classes": 2, "train": 1000, "test": 500}
ROW = rows.Row("mnist-100", "mnist", 100, 15, 10, epochs=2)
SETTING = run.Setting(rounds=3, learn_seconds=0.1, batch_seconds=0.1, single_seconds=0.1, least_seconds=0.01)


class Fake(systems.System):
    def __init__(self, key, each, *mood, keeps_state=False, trains=True):
        super().__init__("")
        self.key, self.label, self.keeps_state, self.trains = key, key, keeps_state, trains
        self.command = [sys.executable, str(Path(__file__).with_name("fake_worker.py")), str(each), *mood]


def measured(tmp_path, *contestants, lock=""):
    result = measure.measure_row(
        ROW, contestants, SHAPE, SETTING, str(tmp_path), "nowhere", measure.Turn(lock), lambda text: None
    )
    return {"row": {"name": ROW.name, "epochs": ROW.epochs}, "title": ROW.title, "cpu": "a processor",
            "compiler": "a compiler", "commit": "abc", "date": "today", **result}  # fmt: skip


def test_ratios_are_taken_round_by_round():
    assert summary.ratios([10, 40, 90], [1, 2, 3]) == [10, 20, 30]
    assert summary.interval([30, 10, 20]) == {"median": 20, "least": 10, "most": 30}
    assert summary.ratio_text([10.0, 20.0, 30.0]) == "20.0x (10.0–30.0)"
    assert summary.ratio_text([]) == "–"


def test_a_round_is_its_processor_time_over_its_samples():
    answers = [{"cpu": 1.0, "samples": 10}, {"cpu": 2.0, "samples": 20}]
    assert summary.microseconds(answers) == pytest.approx(1e5)


@pytest.mark.parametrize("value, text", [(0.789, "0.79"), (24.31, "24.3"), (314.4, "314"), (36912.0, "36,912")])
def test_numbers_keep_three_digits(value, text):
    assert summary.number(value) == text


def test_a_slow_system_gets_fewer_samples_and_never_too_few():
    assert measure.affordable({"cpu": 1.0, "samples": 100}, 2.0, 10, 1000) == 200
    assert measure.affordable({"cpu": 1.0, "samples": 1}, 2.0, 10, 1000) == 10
    assert measure.affordable({"cpu": 0.0, "samples": 100}, 2.0, 10, 1000) == 1000


def test_every_system_is_trained_timed_and_set_in_relation(tmp_path):
    result = measured(tmp_path, Fake("falsum", 1e-5), Fake("slow", 1e-3))
    ours, theirs = result["systems"]["falsum"], result["systems"]["slow"]
    assert [e["epoch"] for e in theirs["epochs"]] == [1, 2]
    assert theirs["prepare_seconds"] == 3
    for name, _ in summary.MEASURES:
        assert ours[name]["microseconds"] == pytest.approx([10, 10, 10])
        assert theirs[name]["wall_microseconds"] == pytest.approx([2000, 2000, 2000])
        assert summary.ratios(theirs[name]["microseconds"], ours[name]["microseconds"]) == pytest.approx([100] * 3)
    assert ours["learning"]["samples"] == [333] * 3  # all of its part of the epoch
    assert theirs["learning"]["samples"] == [100] * 3  # what 0.1 s are enough for
    table = summary.row_markdown(result).splitlines()
    lines = [line for line in table if line.startswith("| ")]
    assert len(lines) == 3 and len({line.count("|") for line in lines}) == 1
    assert "100x (100–100)" in lines[2] and "75.00%" in lines[2]


def test_systems_that_are_all_fast_learn_more_than_their_part_and_stay_in_step(tmp_path):
    result = measured(tmp_path, Fake("falsum", 1e-5), Fake("fast", 1.25e-4))
    for system in result["systems"].values():
        assert system["learning"]["samples"] == [800] * 3  # 0.1 s of the slower one


def test_accuracy_is_taken_after_every_epoch(tmp_path):
    said = []
    found = list(measure.accuracy_row(ROW, [Fake("peer", 1e-3), Fake("broken", 1e-3, "dies")], SHAPE, 3, str(tmp_path),
                                      "nowhere", 1, said.append))  # fmt: skip
    assert found == [("peer", [{"accuracy": 0.75}] * 3, pytest.approx(3.0))]
    assert "epoch 3, 75.00%, 3.0 s" in said[2] and "ended with code 7" in said[3]


def test_accuracy_over_seeds_is_a_mean_and_a_deviation():
    def of(system, seed, *scores):
        return {"system": system, "seed": seed, "scores": [{"accuracy": score} for score in scores], "seconds": 1}

    found = {"title": "a row", "epochs": 2, "runs": [of("falsum", 1, 0.9, 0.95), of("falsum", 2, 0.92, 0.95), of("slow", 1, 0.5, 0.6)]}
    lines = summary.accuracy_markdown(found).splitlines()
    assert "| falsum | 2 | 91.00% (1.41) | 95.00% (0.00) |" in lines and "| slow | 1 | 50.00% | 60.00% |" in lines


def test_a_row_that_was_measured_on_a_busy_machine_says_so(tmp_path):
    result = measured(tmp_path, Fake("falsum", 1e-5))
    assert "Other processes" not in summary.row_markdown({**result, "load": 1.2})
    assert "Other processes ran beside: load 9.0." in summary.row_markdown({**result, "load": 9})


@pytest.mark.parametrize(
    "mood, why", [("dies", "ended with code 7"), ("refuses", "no such luck"), ("babbles", "which is no JSON")]
)
def test_a_system_that_fails_is_named_and_the_others_go_on(tmp_path, mood, why):
    result = measured(tmp_path, Fake("falsum", 1e-5), Fake("broken", 1e-3, mood), Fake("slow", 1e-3))
    assert why in result["systems"]["broken"]["failed"]
    assert len(result["systems"]["slow"]["single"]["microseconds"]) == 3
    assert why in summary.row_markdown(result)


def test_a_kept_state_is_not_trained_again_and_its_epochs_are_marked(tmp_path):
    peer = Fake("peer", 1e-3, keeps_state=True)
    measured(tmp_path, Fake("falsum", 1e-5), peer)
    peer.command.append("refuses")  # would be lost if it were asked to learn before the rounds
    again = measure.Contestant(peer, ROW, str(tmp_path), "nowhere", lambda text: None)
    assert again.restore()
    assert [e["cached"] for e in again.result["epochs"]] == [True, True]
    assert summary.epoch_text(again.result, 1) == "1.00\\* (75.00%)"
    again.client.close()


def test_a_system_can_go_on_with_the_state_of_another(tmp_path):
    class Follower(Fake):
        state_key = "peer"

    result = measured(
        tmp_path, Fake("falsum", 1e-5), Fake("peer", 1e-3, keeps_state=True),
        Follower("follower", 1e-3, keeps_state=True, trains=False),
    )  # fmt: skip
    assert result["systems"]["follower"]["epochs"] == []
    assert len(result["systems"]["follower"]["learning"]["microseconds"]) == 3


def test_a_very_slow_system_can_be_trained_for_fewer_epochs_and_the_table_says_so(tmp_path):
    class Short(Fake):
        def epochs(self, row):
            return 1

    result = measured(tmp_path, Fake("falsum", 1e-5), Short("short", 1e-3, keeps_state=True))
    assert [e["epoch"] for e in result["systems"]["short"]["epochs"]] == [1]
    assert [e["epoch"] for e in result["systems"]["falsum"]["epochs"]] == [1, 2]
    assert "Trained state: 2 epochs (short: 1) of 1,000 samples." in summary.row_markdown(result)
    assert list(tmp_path.glob("*x1-short.state"))


def test_an_epoch_can_be_learned_in_pieces(tmp_path):
    row = dataclasses.replace(ROW, piece=300)
    contestant = measure.Contestant(Fake("peer", 1e-3), row, str(tmp_path), "nowhere", lambda text: None)
    counts = []
    ask = contestant.client.ask

    def listen(what, **request):
        counts.append((request["first"], request["count"]))
        return ask(what, **request)

    contestant.client.ask = listen
    times = contestant.learn_epoch(1000, measure.Turn(""))
    assert counts == [(0, 300), (300, 300), (600, 300), (900, 100)]
    assert times == pytest.approx({"cpu": 1.0, "wall": 2.0})
    contestant.client.close()


def test_prepared_states_are_taken_up_and_their_epochs_marked(tmp_path):
    peer = Fake("peer", 1e-3, keeps_state=True)
    measure.prepare_row(ROW, [Fake("falsum", 1e-5), peer], SHAPE, str(tmp_path), "nowhere", lambda text: None)
    result = measured(tmp_path, Fake("falsum", 1e-5), peer)
    assert summary.epoch_text(result["systems"]["peer"], 2) == "1.00†"
    assert len(result["systems"]["peer"]["learning"]["microseconds"]) == 3
    assert not list(tmp_path.glob("*falsum*.state"))


def test_a_lock_is_held_while_timing(tmp_path):
    measured(tmp_path, Fake("falsum", 1e-5), lock=str(tmp_path / "lock"))
    assert (tmp_path / "lock").exists()


def test_a_new_row_replaces_the_old_one_in_the_order_of_the_table():
    def result(name, mark):
        return {"row": {"name": name}, "mark": mark}

    earlier = [result("imdb-5k-1000", 1), result("mnist-2000", 1)]
    names = [(r["row"]["name"], r["mark"]) for r in run.merged(earlier, result("mnist-2000", 2))]
    assert names == [("mnist-2000", 2), ("imdb-5k-1000", 1)]


def test_epochs_show_seconds_their_ratio_and_what_was_reached():
    ours = {"epochs": [{"epoch": 1, "cpu": 2.0, "rmse": 1.5}]}
    theirs = {"epochs": [{"epoch": 1, "cpu": 15.0, "rmse": 1.25}]}
    assert summary.epoch_text(ours, 1, ours) == "2.00 (RMSE 1.500)"
    assert summary.epoch_text(theirs, 1, ours) == "15.00 (7.50x, RMSE 1.250)"
    assert summary.epoch_text(theirs, 2, ours) == "–"


def test_falsum_has_every_kind_of_row_and_others_say_which():
    kinds = {row.kind for row in rows.ROWS}
    assert all(systems.Falsum("").can(row) for row in rows.ROWS)
    for kind in kinds:
        assert any(kind in peer.kinds for peer in systems.PEERS), kind
    assert not systems.Authors("").can(rows.Row("", "mnist", 1, 1, 1, kind="shared"))


@pytest.mark.parametrize("name, size", [("friedman", 8), ("rules", 10)])
def test_generated_data_have_the_files_of_the_others(tmp_path, monkeypatch, name, size):
    monkeypatch.setattr(generated, "ROWS", {"train": 70, "test": 30})
    generated.write(name, tmp_path)
    words = (json.loads((tmp_path / "shape.json").read_text())["features"] + 63) // 64
    for split, count in generated.ROWS.items():
        assert (tmp_path / f"{split}.bits").stat().st_size == count * words * 8
        assert (tmp_path / f"{split}.labels").stat().st_size == count * size


def test_the_quick_rows_are_rows_of_the_table():
    assert {row.name for row in rows.QUICK_ROWS} <= {row.name for row in rows.ROWS}
    assert set(systems.QUICK_PEERS) <= {peer.key for peer in systems.PEERS}


@pytest.mark.parametrize(
    "arguments, says",
    [
        (["--row", "mnist-7"], "there is no row mnist-7; there are mnist-100"),
        (["--peer", "nobody"], "there is no peer nobody; there are authors-indexed"),
        (["--worker", "/nowhere/worker"], "/nowhere/worker is not there"),
        (["--rounds", "0", "--worker", sys.executable], "--rounds must be at least 1, got 0"),
        (["--accuracy", "0", "--worker", sys.executable], "--accuracy must be at least 1, got 0"),
        (["--accuracy", "1", "--seeds", "0", "--worker", sys.executable], "--seeds must be at least 1, got 0"),
        (["--seeds", "5", "--worker", sys.executable], "--seeds goes with --accuracy EPOCHS"),
    ],
)
def test_a_wrong_argument_is_one_sentence(tmp_path, arguments, says):
    command = [sys.executable, ROOT / "bench" / "peers" / "run.py", "--build", tmp_path, "--results", tmp_path]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("bench-peers: ") and len(done.stderr.splitlines()) == 1
    assert says in done.stderr


# ------------------------------------------------------------------------------------- falsum's own worker
WORKER = os.environ.get("FALSUM_BENCH_WORKER", str(ROOT / "build" / "release" / "falsum_bench_worker"))


def test_falsums_worker_learns_goes_on_and_says_what_is_wrong(tmp_path):
    if not os.access(WORKER, os.X_OK):
        pytest.fail(f"{WORKER} is not there: build it, or set FALSUM_BENCH_WORKER")
    subprocess.run([WORKER, "export", "noisy-xor", "5000", tmp_path], check=True)
    shape = json.loads((tmp_path / "shape.json").read_text())
    assert shape["train"] == 5000 and shape["features"] == 12
    assert (tmp_path / "train.bits").stat().st_size == 5000 * 8
    requests = [
        {"do": "learn", "first": 0, "count": 10},
        {"do": "open", "data": str(tmp_path), "clauses": 20, "threshold": 10, "specificity": 3.9, "seed": 1},
        {"do": "learn", "first": 100, "count": 4000},
        {"do": "learn", "first": 100, "count": 4900},
        {"do": "save", "path": str(tmp_path / "state")},
        {"do": "predict", "count": 5000},
        {"do": "learn", "first": 0, "count": 4000},
        {"do": "load", "path": str(tmp_path / "state")},
        {"do": "single", "first": 0, "count": 5000},
        {"do": "predict", "count": 5001},
        {"do": "dance"},
    ]
    text = "".join(json.dumps(request) + "\n" for request in requests)
    done = subprocess.run([WORKER, "serve"], input=text, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(requests)
    assert "open comes first" in answers[0]["error"]
    assert answers[1]["total_clauses"] == 40
    assert answers[2]["samples"] == 4000 and answers[2]["cpu"] > 0 and answers[2]["peak_memory"] > 1e6
    assert answers[5]["accuracy"] > 0.6
    assert answers[8]["accuracy"] == answers[5]["accuracy"]  # the state that was saved, by another engine
    assert "only 5000 rows" in answers[9]["error"]
    assert "dance" in answers[10]["error"]


@pytest.mark.parametrize(
    "name, clauses, reached", [("rules", 200, lambda s: s["accuracy"] > 0.8), ("friedman", 500, lambda s: s["rmse"] < 3)]
)
def test_falsums_worker_has_labels_and_numbers(tmp_path, name, clauses, reached):
    generated.write(name, tmp_path)
    machine = {"clauses": clauses, "threshold": 2 * clauses, "specificity": 3, "seed": 1}
    machine |= {"weighted": True} if name == "friedman" else {"shared": True}
    requests = [
        {"do": "open", "data": str(tmp_path), **machine},
        {"do": "learn", "first": 0, "count": 10000},
        {"do": "predict", "count": 5000},
        {"do": "single", "first": 0, "count": 5000},
    ]
    text = "".join(json.dumps(request) + "\n" for request in requests)
    done = subprocess.run([WORKER, "serve"], input=text, capture_output=True, text=True, check=True)
    _, _, batch, single = (json.loads(line) for line in done.stdout.splitlines())
    assert reached(batch) and reached(single)
    assert batch.get("rmse", batch.get("accuracy")) == single.get("rmse", single.get("accuracy"))


def test_the_authors_generator_starts_from_the_seed(tmp_path):
    """FINDINGS 7.2: it was never seeded, so that their accuracies were one draw each. Here it stands in for theirs."""
    (tmp_path / "ConvolutionalTsetlinMachine.c").write_text(
        "static unsigned long long mcg_state = 12345;\n"
        "static unsigned pcg32_fast(void) { mcg_state *= 0x5851f42d4c957f2dull; return (unsigned)(mcg_state >> 32); }\n"
        "unsigned draw(void) { return pcg32_fast(); }\n"
    )
    library = tmp_path / "library.so"
    source = ROOT / "bench" / "peers" / "workers" / "authors_seed.c"
    subprocess.run(["gcc", "-shared", "-fPIC", "-I", tmp_path, source, "-o", library], check=True)
    authors = ctypes.CDLL(str(library))

    def draws(seed):
        authors.seed_feedback(ctypes.c_ulonglong(seed))
        return [authors.draw() for _ in range(5)]

    assert draws(1) == draws(1)
    assert len({tuple(draws(seed)) for seed in range(20)}) == 20
    assert all("authors_seed.c" in system.ours for system in (systems.Authors, systems.Parallel))
