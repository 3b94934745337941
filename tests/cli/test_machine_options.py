"""Which options make the machine stands in one table: reports, files and --resume go by it."""

import json

import pytest
from conftest import SMALL


def table(falsum, scope=None):
    options = json.loads(falsum("options", "--json"))["options"]
    return [o["name"] for o in options if scope in (None, o["scope"])]


def test_every_option_that_falsum_options_prints_is_one_that_train_takes(falsum):
    """FINDINGS 6.2: it printed --max_memory."""
    printed = [word.rstrip(",") for line in falsum("options").splitlines() for word in line.split()[:2] if word.startswith("--")]
    assert "--max-memory" in printed and len(printed) == len(set(printed)) >= len(table(falsum))
    described = falsum("train", "--help")
    switched_off = {"--boost": "--no-boost"}
    for option in printed:
        assert switched_off.get(option, option) in described.replace(",", " ").split(), option


@pytest.mark.parametrize("sharded", [True, False])
def test_reports_name_all_that_makes_the_machine(falsum, tmp_path, sharded):
    """FINDINGS 2.5 and 6.1: neither headline, JSON nor inspect said that a model is sharded."""
    model = tmp_path / "model.falsum"
    arguments = ["train", "noisy-xor", *SMALL, "-o", model, *(["--sharded"] if sharded else [])]
    report = json.loads(falsum(*arguments, "--json"))
    inspected = json.loads(falsum("inspect", model, "--json"))
    for name in table(falsum, "machine"):
        assert report[name] == inspected[name], name
    assert report["sharded"] is sharded
    assert (", sharded," in falsum(*arguments)) is sharded
    assert (", sharded," in falsum("inspect", model)) is sharded


@pytest.mark.parametrize("sharded", [True, False])
def test_a_checkpoint_stays_sharded_or_exact(falsum, refuses, tmp_path, sharded):
    """FINDINGS 2.5: --resume with another --sharded was silently ignored."""
    checkpoint = tmp_path / "state.falsum-checkpoint"
    flags = {True: "--sharded", False: "--no-sharded"}
    falsum("train", "noisy-xor", *SMALL, flags[sharded], "--checkpoint", checkpoint)
    going_on = ["train", "noisy-xor", "--epochs", "4", "--resume", checkpoint]
    refuses(*going_on, flags[not sharded], says=["sharded is", "cannot be changed on resuming", "got"])
    report = json.loads(falsum(*going_on, "--json"))
    assert report["sharded"] is sharded
    falsum(*going_on, flags[sharded])
