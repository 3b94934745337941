"""An option that cannot act is an error, not a silence. FINDINGS 1.8."""

import json

import pytest
from conftest import SMALL


@pytest.mark.parametrize("every", ["2", "10min"])
@pytest.mark.parametrize("resume", [True, False])
def test_a_rhythm_of_checkpoints_needs_a_checkpoint(falsum, refuses, tmp_path, every, resume):
    arguments = ["train", "noisy-xor", "--checkpoint-every", every]
    checkpoint = tmp_path / "state.falsum-checkpoint"
    if resume:
        falsum("train", "noisy-xor", *SMALL, "--checkpoint", checkpoint)
        arguments += ["--resume", checkpoint]
    refuses(*arguments, says=["--checkpoint-every", "needs --checkpoint FILE"])


@pytest.mark.parametrize(
    "option, value, belongs_to",
    [
        ("--levels", "2", "images"),
        ("--quantiles", "4", "tables"),
        ("--vocabulary", "100", "text"),
        ("--phrases", "2", "text"),
        ("--select", "chi2", "text"),
    ],
)
@pytest.mark.parametrize("data, kind", [("noisy-xor", "bits"), ("mnist", "images"), ("flowers", "tables")])
def test_an_option_for_another_kind_of_data_is_refused(falsum, refuses, flowers, tmp_path, option, value, belongs_to, data, kind):
    path = flowers if data == "flowers" else data
    model = tmp_path / "model.falsum"
    arguments = ["train", path, *SMALL, "-o", model, option, value]
    if kind != belongs_to:
        refuses(*arguments, says=[f"{option} is for {belongs_to}", data, "would change nothing"])
        assert not model.exists()
    elif data == "flowers":  # the grey images of mnist need its files
        falsum(*arguments)


def test_the_table_of_booleanizing_is_what_train_takes(falsum, refuses):
    """FINDINGS 6.1: ranges stood in three places, and in no document."""
    described = falsum("train", "--help")
    for option in json.loads(falsum("options", "--json"))["booleanize"]:
        assert f"--{option['name']} " in described
        assert f"--{option['name']} " in falsum("options")
        assert option["range"] in " ".join(described.split())
        refuses("train", "noisy-xor", f"--{option['name']}", "no-such", says=[option["name"], option["range"], "got no-such"])
