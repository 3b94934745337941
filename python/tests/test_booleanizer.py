"""Values -> features with names, each of them true where its name says so."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from falsum import Booleanizer

TABLE = arrays.arrays(np.float64, st.tuples(st.integers(2, 30), st.integers(1, 4)), elements=st.floats(-1e6, 1e6))


def value_of(name, X):
    """What a feature's name says, worked out from the values."""
    column, sign, number = name.split(" ")
    values = X[:, int(column[1:])]
    return values >= float(number) if sign == ">=" else values == float(number)


@given(TABLE, st.sampled_from(["quantile", "uniform", "onehot"]), st.integers(1, 12))
def test_every_feature_is_true_where_its_name_says(X, method, bits):
    booleanizer = Booleanizer(method=method, bits=None if method == "onehot" else bits)
    if all(len(np.unique(column)) == 1 for column in X.T):
        with pytest.raises(ValueError, match="one value only"):
            booleanizer.fit(X)
        return
    out = booleanizer.fit_transform(X)
    for feature, name in enumerate(booleanizer.get_feature_names_out()):
        assert out[:, feature].tolist() == value_of(name, X).tolist(), name


@given(TABLE, st.integers(1, 12))
def test_quantiles_and_steps_are_at_most_as_many_as_asked_for(X, bits):
    for method in ("quantile", "uniform"):
        try:
            fitted = Booleanizer(method=method, bits=bits).fit(X)
        except ValueError:
            continue
        for c in range(X.shape[1]):
            mine = [n for n in fitted.get_feature_names_out() if n.startswith(f"x{c} ")]
            assert len(mine) <= min(bits, max(0, len(np.unique(X[:, c])) - 1) if method == "quantile" else bits)


def test_uniform_thresholds_are_readable():
    names = Booleanizer(method="uniform", bits=4).fit([[0.0], [100.0]]).get_feature_names_out()
    assert names.tolist() == ["x0 >= 20", "x0 >= 40", "x0 >= 60", "x0 >= 80"]
    assert Booleanizer(method="uniform", bits=1).fit([[1e-9], [3e-9]]).get_feature_names_out().tolist() == ["x0 >= 2e-09"]


def test_onehot_values_can_be_limited():
    with pytest.raises(ValueError, match="column x0 has 3 distinct values"):
        Booleanizer(method="onehot", bits=2).fit([[1], [2], [3]])


def test_levels_are_for_grey_images():
    images = np.array([[0, 75, 76, 255]] * 2, dtype=np.uint8)
    one = Booleanizer(method="levels", image_width=2).fit(images)
    assert one.get_feature_names_out().tolist() == ["pixel 0,0 > 75", "pixel 0,1 > 75", "pixel 1,0 > 75", "pixel 1,1 > 75"]
    assert one.transform(images)[0].tolist() == [False, False, True, True]
    assert one.transform(images.astype(float))[0].tolist() == [False, False, True, True]
    assert Booleanizer(method="levels", bits=3).fit(images).n_features_out_ == 12
    for bad in ([[0.5, 1], [1, 2]], [[-1, 1], [1, 2]], [[256, 1], [1, 2]]):
        with pytest.raises(ValueError, match="whole numbers from 0 to 255"):
            Booleanizer(method="levels").fit(bad)
    with pytest.raises(ValueError, match="from 1 to 4"):
        Booleanizer(method="levels", bits=5).fit(images)


@pytest.mark.parametrize("bad", [{"method": "magic"}, {"bits": 0}, {"bits": 256}, {"image_width": 0}])
def test_parameters_out_of_range_are_refused(bad):
    with pytest.raises(ValueError, match="must be"):
        Booleanizer(**bad).fit([[1.0, 2.0], [3.0, 4.0]])


def test_names_can_be_given_when_the_data_have_none():
    fitted = Booleanizer().fit([[1.0], [2.0]])
    assert fitted.get_feature_names_out(["height"]).tolist() == ["height >= 1.5"]
    with pytest.raises(ValueError, match="length equal to number of features"):
        fitted.get_feature_names_out(["a", "b"])
