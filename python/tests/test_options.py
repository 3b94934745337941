"""The core's table is where defaults and ranges come from; Python repeats none of them."""

import inspect

import numpy as np
import pytest
from conftest import small

from falsum import Booleanizer, TMClassifier, _core, _options

TABLE = {option["name"]: option for option in _core.option_table()}
SIGNATURE = inspect.signature(TMClassifier).parameters


# Not of every estimator: the task and what only regression has; a range of s is a pair, sizes of images are tuples.
ELSEWHERE = {"seed", "threads", "task", "error", "specificity_to", "patch", "image", "stride"}


@pytest.mark.parametrize("name", [name for name in TABLE if name not in ELSEWHERE])
def test_the_default_in_the_signature_is_the_cores(name):
    assert SIGNATURE[name].default == TABLE[name]["default"]
    assert type(SIGNATURE[name].default) is type(TABLE[name]["default"])


def test_seed_and_threads_have_the_names_that_scikit_learn_gives_them():
    assert {"random_state", "n_jobs"} <= set(SIGNATURE)
    assert not {"seed", "threads"} & set(SIGNATURE)


@pytest.mark.parametrize("name", ["clauses", "threshold", "specificity", "states", "epochs"])
@pytest.mark.parametrize("where", ["least", "most"])
def test_a_value_out_of_the_tables_range_is_refused_with_name_and_value(xor, name, where):
    beyond = TABLE[name]["least"] - 1 if where == "least" else TABLE[name]["most"] * 2
    beyond = beyond if name == "specificity" else int(beyond)
    with pytest.raises(ValueError, match=f"{name} must be from .* got"):
        small(**{name: beyond}).fit(*xor)


@pytest.mark.parametrize(
    "name, value",
    [("clauses", 20.0), ("clauses", "20"), ("clauses", True), ("threshold", None), ("specificity", "3"), ("boost", "yes"),
     ("engine", 3), ("epochs", 1.5), ("random_state", "seed"), ("n_jobs", 1.5), ("booleanizer", "quantile")],
)  # fmt: skip
def test_a_value_of_a_wrong_type_is_refused(xor, name, value):
    with pytest.raises((TypeError, ValueError), match="must be|cannot be used to seed"):
        small(**{name: value}).fit(*xor)


@pytest.mark.parametrize(
    "name, value",
    [("engine", "fast"), ("kernels", "mmx"), ("clauses", 21), ("n_jobs", 0), ("random_state", -1), ("random_state", 2**64),
     ("validation_fraction", 1.0), ("validation_fraction", 0), ("n_iter_no_change", 0), ("engine", "")],
)  # fmt: skip
def test_a_value_that_cannot_be_is_refused(xor, name, value):
    with pytest.raises(ValueError):
        small(**{name: value}).fit(*xor)


def test_numpy_numbers_are_numbers(xor):
    options = {"clauses": np.int32(40), "threshold": np.uint8(10), "specificity": np.float32(5), "boost": np.bool_(False)}
    a, b = small(**options).fit(*xor), small(boost=False).fit(*xor)
    assert a.model_.to_bytes() == b.model_.to_bytes()


@pytest.mark.parametrize("jobs", [None, 1, 2, -1, -100, 5000])
def test_any_number_of_jobs_gives_the_same_model(xor, jobs):
    assert small(n_jobs=jobs).fit(*xor).model_.to_bytes() == small(n_jobs=1).fit(*xor).model_.to_bytes()


def test_the_core_says_which_options_make_the_machine(xor, tmp_path):
    """FINDINGS 6.1: an estimator that is saved and loaded has all of those, and the others at their defaults."""
    changed = {
        "clauses": 20, "threshold": 7, "specificity": (3.5, 6.0), "states": 64, "boost": False, "weighted": True, "max_weight": 5,
        "shared": True, "negatives": "focused", "max_literals": 9, "drop_clauses": 0.25, "drop_literals": 0.125,
        "snapshots": 2,
    }  # fmt: skip
    others = {"seed", "task", "specificity_to", "error", "sharded", "block", "weight_growth", "negative_share"}  # shared excludes some
    others |= {"fuzzy", "clamp", "length", "include_limit"}  # test_family.py: fuzzy excludes most of these
    others |= {"patch", "image", "stride"}
    assert {*changed, *others} == set(_options.MACHINE)
    small(**changed, random_state=9, max_memory=500, epochs=2).fit(*xor).save(tmp_path / "model.falsum")
    loaded = TMClassifier.load(tmp_path / "model.falsum").get_params()
    assert {name: loaded[name] for name in changed} == changed
    assert loaded["random_state"] == 9
    assert loaded["max_memory"] == TABLE["max_memory"]["default"]


def test_every_engine_of_the_core_can_be_named_and_does_what_it_cannot_by_another(xor):
    """FINDINGS 6.1"""
    for engine in _core.engine_table():
        assert engine["learns"] or engine["predicts"]
        assert (engine["name"] in _options.PREDICT_ONLY) == (not engine["learns"])
        assert (engine["name"] in _options.LEARN_ONLY) == (not engine["predicts"])
        fuzzy = {"fuzzy": 4} if engine["name"] == "tables" else {}
        estimator = small(engine=engine["name"], epochs=1, **fuzzy).fit(*xor)
        assert len(estimator.predict(xor[0])) == len(xor[0])


@pytest.mark.parametrize("method, option", [("levels", "levels"), ("quantile", "quantiles"), ("uniform", "quantiles")])
def test_bits_has_the_range_of_the_option_it_stands_for(method, option):
    """FINDINGS 6.1"""
    allowed = _options.BOOLEANIZE[option]
    X = np.arange(40, dtype=np.uint8).reshape(10, 4)
    Booleanizer(method=method, bits=allowed["most"]).fit(X)
    Booleanizer(method=method, bits=allowed["least"]).fit(X)
    with pytest.raises(ValueError, match=f"bits must be from {allowed['least']} to {allowed['most']}"):
        Booleanizer(method=method, bits=allowed["most"] + 1).fit(X)
    with pytest.raises(ValueError, match="bits must be at least"):
        Booleanizer(method=method, bits=allowed["least"] - 1).fit(X)
