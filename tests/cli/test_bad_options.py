"""Options out of range: the library's own sentence, before anything is read, allocated or written."""

import pytest
from conftest import OLDER_MODEL, SMALL, run_falsum

GIGABYTE = 1 << 30


@pytest.mark.parametrize(
    "option, value, says",
    [
        ("-T", "0", ["threshold", "1", "got 0"]),
        ("--threshold", "-5", ["threshold", "got -5"]),
        ("-s", "0.5", ["specificity", "1", "got 0.5"]),
        ("-s", "-1", ["specificity", "got -1"]),
        ("-s", "nan", ["specificity", "got nan"]),
        ("-s", "inf", ["specificity", "got inf"]),
        ("--clauses", "0", ["clauses", "2", "got 0"]),
        ("--clauses", "-2", ["clauses", "got -2"]),
        ("--clauses", "7", ["clauses", "even", "got 7"]),
        ("--clauses", "1000000000000", ["clauses", "got 1000000000000"]),
        ("--clauses", "99999999999999999999999", ["clauses", "got 99999999999999999999999"]),
        ("--clauses", "many", ["clauses", "whole number", "got many"]),
        ("--clauses", "10.5", ["clauses", "whole number", "got 10.5"]),
        ("--clauses", "", ["clauses", "whole number"]),
        ("--states", "100000", ["states", "256", "got 100000"]),
        ("--states", "0", ["states", "2", "got 0"]),
        ("--states", "3", ["states", "even", "got 3"]),
        ("--epochs", "0", ["epochs", "1", "got 0"]),
        ("--epochs", "-1", ["epochs", "got -1"]),
        ("--threads", "-1", ["threads", "got -1"]),
        ("--threads", "1000000", ["threads", "got 1000000"]),
        ("--seed", "-1", ["seed", "got -1"]),
        ("--engine", "warp", ["engine", "auto", "scan", "index", "got warp"]),
        ("--kernels", "abacus", ["kernels", "scalar", "got abacus"]),
        ("--levels", "5", ["levels", "1", "4", "got 5"]),
        ("--quantiles", "0", ["quantiles", "1", "255", "got 0"]),
        ("--vocabulary", "0", ["vocabulary", "1", "got 0"]),
        ("--phrases", "4", ["phrases", "1", "3", "got 4"]),
        ("--select", "best", ["select", "frequent", "chi2", "got best"]),
    ],
)
def test_an_option_out_of_range_is_refused_by_name_value_and_range(refuses, tmp_path, option, value, says):
    model = tmp_path / "model.fsm"
    model.write_bytes(OLDER_MODEL)
    refuses("train", "noisy-xor", option, value, "-o", model, says=says)
    assert model.read_bytes() == OLDER_MODEL
    assert list(tmp_path.iterdir()) == [model]


@pytest.mark.parametrize("sizes", [["--clauses", "1000000000000"], ["--states", "100000"], ["--clauses", "16777216"]])
def test_an_absurd_size_is_refused_before_it_is_allocated(refuses, sizes):
    if run_falsum("cpu", memory=GIGABYTE).returncode != 0:
        pytest.skip("this build does not run in 1 GB of address space (a sanitizer?)")
    refuses("train", "mnist", *sizes, memory=GIGABYTE, says=sizes[1])


def test_the_size_of_the_memory_is_known_before_it_is_asked_for(refuses):
    refuses("train", "mnist", "--clauses", "16777216", says=["16777216 clauses", "memory"])


def test_a_seed_of_zero_simply_works(falsum):
    assert "seed 0" in falsum("train", "noisy-xor", *SMALL, "--seed", "0")


def test_the_largest_seed_simply_works(falsum):
    falsum("train", "noisy-xor", *SMALL, "--seed", 2**64 - 1)


@pytest.mark.parametrize("verb", ["evaluate", "predict"])
@pytest.mark.parametrize("option, value", [("--engine", "warp"), ("--kernels", "abacus"), ("--threads", "-1")])
def test_evaluate_and_predict_refuse_the_same_way(refuses, xor_model, verb, option, value):
    refuses(verb, xor_model, "noisy-xor", option, value, says=[option[2:], f"got {value}"])


@pytest.mark.parametrize(
    "arguments",
    [
        ["frobnicate"],
        ["train"],
        ["train", "noisy-xor", "--frobnicate"],
        ["train", "noisy-xor", "--clauses"],
        ["predict", "model.fsm"],
        ["options", "--json", "--markdown"],
        ["inspect", "model.fsm", "--rules", "-1"],
        ["cpu", "extra"],
    ],
)
def test_a_command_line_that_makes_no_sense_is_one_sentence_too(refuses, arguments):
    refuses(*arguments)


def test_resuming_with_another_machine_is_refused(falsum, refuses, tmp_path):
    checkpoint = tmp_path / "state.fsc"
    falsum("train", "noisy-xor", *SMALL, "--checkpoint", checkpoint)
    before = checkpoint.read_bytes()
    refuses("train", "noisy-xor", "--resume", checkpoint, "--clauses", "40", says=["clauses", "20", "got 40"])
    refuses("train", "noisy-xor", "--resume", checkpoint, "--no-boost", says=["boost", "true", "got false"])
    refuses("train", "mnist", "--resume", checkpoint, says=["features", "784"])
    refuses("train", "noisy-xor", "--resume", says=["--resume", "--checkpoint FILE"])
    assert checkpoint.read_bytes() == before


def test_a_list_of_columns_leaves_the_data_that_follow_alone(falsum, flowers):
    """--ignore takes one word, so that DATA may come after it."""
    text = falsum("train", "--ignore", "height", "--ignore", "colour", flowers, "--dry-run")
    assert text.count("left out") == 2
