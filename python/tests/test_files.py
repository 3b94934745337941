"""Model files, pickles and copies: paths of every kind, errors that programs can tell apart. FINDINGS 4.8."""

import copy
import errno
import os
import pickle
import sys
import threading

import joblib
import numpy as np
import pytest
from conftest import small
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score

from falsum import Booleanizer, TMClassifier, _core, load


@pytest.fixture(scope="module")
def fitted():
    X = np.random.RandomState(0).rand(60, 4)
    return small(epochs=2).fit(X, X[:, 0] > 0.5), X


def test_finding_4_8_a_path_with_nul_is_refused(fitted, tmp_path):
    for call in (fitted[0].save, load):
        for path in (f"{tmp_path}/x\0y", f"{tmp_path}/x\0y".encode()):
            with pytest.raises(ValueError, match="NUL"):
                call(path)
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="file names are text there")
def test_finding_4_8_paths_of_every_kind(fitted, tmp_path):
    machine, X = fitted
    for path in (
        f"{tmp_path}/a",
        f"{tmp_path}/b".encode(),
        tmp_path / "c",
        f"{tmp_path}/ä 火 b",
        f"{tmp_path}/".encode() + b"\xff\xfe",
        tmp_path / "\udcff",
    ):
        machine.save(path)
        assert os.path.exists(path)
        assert load(path).predict(X).tolist() == machine.predict(X).tolist()
    assert len(list(tmp_path.iterdir())) == 6
    (tmp_path / "\udcff").write_bytes(b"something else")
    with pytest.raises(OSError, match=r"\\xff"):
        load(tmp_path / "\udcff")


def test_finding_4_8_errors_of_files_have_a_number_and_a_name(fitted, tmp_path):
    machine, _ = fitted
    missing = tmp_path / "nothing"
    with pytest.raises(FileNotFoundError) as caught:
        load(missing)
    assert caught.value.errno == errno.ENOENT and caught.value.filename == str(missing)
    with pytest.raises(FileNotFoundError) as caught:
        machine.save(missing / "model")
    assert caught.value.errno == errno.ENOENT and caught.value.filename == str(missing / "model")
    with pytest.raises(IsADirectoryError if os.name == "posix" else OSError):
        load(tmp_path)
    with pytest.raises(IsADirectoryError):
        machine.save(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(NotADirectoryError):
        machine.save(tmp_path / "file" / "model")
    with pytest.raises(OSError, match="file"):  # empty: not a model
        load(tmp_path / "file")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs")
def test_a_model_comes_through_a_pipe(fitted, tmp_path):
    machine, X = fitted
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=lambda: (tmp_path / "pipe").write_bytes(machine.model_.to_bytes()))
    writer.start()
    assert load(tmp_path / "pipe").predict(X).tolist() == machine.predict(X).tolist()
    writer.join()


def test_finding_4_8_a_booleanizer_pickles_as_what_it_is(tmp_path, command):
    for split in ("train", "test"):
        for label, word in (("pos", "good"), ("neg", "bad")):
            (tmp_path / "aclImdb" / split / label).mkdir(parents=True)
            for i in range(10):
                (tmp_path / "aclImdb" / split / label / f"{i}_7.txt").write_text(f"a {word} film number {i}")
    command("train", "imdb", "--data-directory", tmp_path, "--clauses", 10, "-T", 5, "--epochs", 1, "-o", tmp_path / "words.falsum")
    words = load(tmp_path / "words.falsum").booleanizer_
    X = np.random.RandomState(0).randint(0, 256, (20, 6))
    all_kinds = [words, Booleanizer().fit(X), Booleanizer(method="levels", bits=3, image_width=3).fit(X),
                 Booleanizer(method="onehot").fit(X % 5), Booleanizer(image_width=2).fit(X > 99)]  # fmt: skip
    for before in all_kinds:
        for after in (pickle.loads(pickle.dumps(before)), copy.copy(before), copy.deepcopy(before)):
            assert after.mapping_ == before.mapping_ and after.mapping_.kind == before.mapping_.kind
            assert after.get_feature_names_out().tolist() == before.get_feature_names_out().tolist()
    again = pickle.loads(pickle.dumps(words))
    assert again.transform(["a good film"]).tolist() == words.transform(["a good film"]).tolist() and words.mapping_.kind == "words"
    joblib.dump(words, tmp_path / "words.joblib")
    assert joblib.load(tmp_path / "words.joblib").mapping_ == words.mapping_


def test_finding_4_8_damaged_bytes_of_a_booleanizer_are_refused():
    whole = Booleanizer().fit(np.random.RandomState(0).rand(20, 3)).mapping_.to_bytes()
    assert _core.Booleanizer.from_bytes(whole).to_bytes() == whole
    for cut in range(len(whole)):
        with pytest.raises((OSError, ValueError)):
            _core.Booleanizer.from_bytes(whole[:cut])
    with pytest.raises((OSError, ValueError)):
        _core.Booleanizer.from_bytes(whole + b"x")


# -------------------------------------------------------------------------------------------------------- clone


def test_finding_4_8_a_clone_keeps_a_booleanizer_that_was_given_fitted():
    random = np.random.RandomState(0)
    X = random.rand(90, 3)
    y = (X[:, 0] > 0.5).astype(int)
    given = Booleanizer(bits=2).fit(X * 10)
    machine = small(booleanizer=given, epochs=1).fit(X, y)
    fresh = clone(machine)
    assert fresh.booleanizer.mapping_ == given.mapping_ and not hasattr(fresh, "model_")
    assert fresh.fit(X, y).booleanizer_.mapping_ == given.mapping_
    fresh.booleanizer.bits = 7  # the original's is another object
    assert given.bits == 2
    # In a cross-validation as well: every fold uses it.
    seen = []
    machine.set_params(callbacks=[lambda report: seen.append(report["estimator"].booleanizer_.mapping_)])
    cross_val_score(machine, X, y, cv=3)
    assert len(seen) == 3 and all(mapping == given.mapping_ for mapping in seen)
    # One that is not fitted is fitted anew for every fold, and a Booleanizer on its own is cloned as usual.
    assert not hasattr(clone(given), "mapping_")
    assert not hasattr(clone(small(booleanizer=Booleanizer(bits=2)).fit(X, y)).booleanizer, "mapping_")


def test_finding_4_8_parameters_of_a_booleanizer_that_is_fitted_cannot_be_searched():
    X, y = np.random.RandomState(0).rand(60, 3), np.arange(60) % 2
    machine = small(booleanizer=Booleanizer(bits=2).fit(X), epochs=1)
    with pytest.raises(ValueError, match="bits of the booleanizer was 2 when it was fitted and is 5 now"):
        GridSearchCV(machine, {"booleanizer__bits": [5]}, cv=2, error_score="raise").fit(X, y)


def test_a_clone_is_of_the_same_class_with_the_same_parameters():
    class Own(TMClassifier):
        pass

    one = Own(clauses=12, callbacks=[print], booleanizer=Booleanizer(method="uniform"))
    other = clone(one)
    assert type(other) is Own and other.clauses == 12 and other.booleanizer is not one.booleanizer
    assert other.booleanizer.method == "uniform" and other.callbacks == [print]
