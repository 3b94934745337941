"""The core's table is where defaults and ranges come from; Python repeats none of them."""

import inspect

import numpy as np
import pytest
from conftest import small

from falsum import TMClassifier, _core

TABLE = {option["name"]: option for option in _core.option_table()}
SIGNATURE = inspect.signature(TMClassifier).parameters


@pytest.mark.parametrize("name", [name for name in TABLE if name not in ("seed", "threads")])
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
