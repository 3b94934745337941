"""Python and the command line learn the same machine and read each other's files."""

import json
import re

import numpy as np
import pytest
from conftest import small
from sklearn.datasets import load_iris

from falsum import Booleanizer, TMClassifier, load
from falsum.datasets import load_mnist, load_noisy_xor

OPTIONS = ["--clauses", 40, "-T", 10, "-s", 5, "--epochs", 20, "--seed", 1]  # those of small()


def same_clauses(a, b):
    return all(np.array_equal(x, y) for x, y in zip(a.clauses, b.clauses))


@pytest.fixture
def iris_csv(tmp_path):
    """A CSV file that the command line reads, and the same values in Python."""
    iris = load_iris(as_frame=True)
    frame, species = iris.data, iris.target_names[iris.target]
    frame.assign(species=species).to_csv(tmp_path / "iris.csv", index=False)
    return tmp_path / "iris.csv", frame, species


def test_bits_are_learned_alike(command, tmp_path):
    command("train", "noisy-xor", *OPTIONS, "-o", tmp_path / "c.falsum")
    data = load_noisy_xor()
    ours = small().fit(data.X_train, data.y_train)
    theirs = load(tmp_path / "c.falsum").model_
    assert same_clauses(ours.model_, theirs)
    assert ours.model_.labels == theirs.labels
    printed = json.loads(command("evaluate", tmp_path / "c.falsum", "noisy-xor:test", "--json"))
    assert printed["accuracy"] == pytest.approx(ours.score(data.X_test, data.y_test), abs=1e-12)


def test_a_table_with_names_is_learned_alike(command, iris_csv, tmp_path):
    pytest.importorskip("pandas")
    path, frame, species = iris_csv
    command("train", path, "--label", "species", *OPTIONS, "-o", tmp_path / "c.falsum")
    ours = small().fit(frame, species)
    theirs = load(tmp_path / "c.falsum").model_
    assert same_clauses(ours.model_, theirs)
    assert ours.model_.booleanizer == theirs.booleanizer  # the same thresholds, and the same names
    assert ours.model_.labels == theirs.labels


def test_the_command_line_predicts_with_a_model_from_python(command, iris_csv, tmp_path):
    pytest.importorskip("pandas")
    path, frame, species = iris_csv
    ours = small().fit(frame, species)
    ours.save(tmp_path / "p.falsum")
    printed = command("predict", tmp_path / "p.falsum", path, "--label", "species").split("\n")[:-1]
    assert printed == ours.predict(frame).tolist()
    assert "petal width" in command("inspect", tmp_path / "p.falsum", "--rules", "3")


def test_python_predicts_with_a_model_from_the_command_line(command, iris_csv, tmp_path):
    pytest.importorskip("pandas")
    path, frame, species = iris_csv
    command("train", path, "--label", "species", *OPTIONS, "-o", tmp_path / "c.falsum")
    loaded = load(tmp_path / "c.falsum")
    assert loaded.feature_names_in_.tolist() == list(frame.columns)
    assert loaded.predict(frame).tolist() == small().fit(frame, species).predict(frame).tolist()
    assert loaded.get_params()["specificity"] == 5 and loaded.n_epochs_ == 20


@pytest.mark.parametrize("levels", [1, 3])
def test_grey_images_have_the_command_lines_levels(command, tmp_path, levels):
    images = np.random.RandomState(0).randint(0, 256, (40, 12)).astype(np.uint8)
    labels = np.arange(40) % 2
    header = bytes([0, 0, 8, 3]) + b"".join(n.to_bytes(4, "big") for n in (40, 3, 4))
    (tmp_path / "train-images-idx3-ubyte").write_bytes(header + images.tobytes())
    (tmp_path / "train-labels-idx1-ubyte").write_bytes(bytes([0, 0, 8, 1]) + (40).to_bytes(4, "big") + labels.astype("u1").tobytes())
    command("train", tmp_path / "train-images-idx3-ubyte", "--levels", levels, *OPTIONS, "-o", tmp_path / "c.falsum")
    ours = small(booleanizer=Booleanizer(method="levels", bits=levels, image_width=4)).fit(images, labels)
    theirs = load(tmp_path / "c.falsum").model_
    assert ours.model_.booleanizer == theirs.booleanizer
    assert same_clauses(ours.model_, theirs)
    assert load(tmp_path / "c.falsum").predict(images).tolist() == ours.predict(images).tolist()


def test_a_model_of_words_takes_texts(command, tmp_path):
    for split in ("train", "test"):
        for label, word in (("pos", "good"), ("neg", "bad")):
            (tmp_path / "aclImdb" / split / label).mkdir(parents=True)
            for i in range(20):
                (tmp_path / "aclImdb" / split / label / f"{i}_7.txt").write_text(f"a {word} film number {i}")
    command("train", "imdb", "--data-directory", tmp_path, *OPTIONS, "-o", tmp_path / "c.falsum")
    loaded = load(tmp_path / "c.falsum")
    assert loaded.predict(["a good film", "a bad film"]).tolist() == [loaded.classes_[1], loaded.classes_[0]]
    assert "good" in str(loaded.explain("a good film number 3"))
    with pytest.raises(ValueError, match="list of texts"):
        loaded.predict("one text")


def printed_sentences(command, model):
    """The rules that the command prints, with the lines of each put together again."""
    text = command("inspect", model, "--rules", 1_000_000).replace("\n    ", " ")
    return [line for line in text.splitlines() if re.match(r"[+-]\d+ IF ", line)]


def messy_table(folder):
    """Missing values, dates, times, truth values, names with spaces and labels whose spelling a number would lose."""
    random = np.random.RandomState(0)
    lines = ["planted;first water;soil type;wild;height (cm);height (cm);grade"]
    for i in range(200):
        day, high = 1 + i % 28, random.rand() < 0.5
        cells = [f"2024-0{1 + i % 9}-{day:02}", f"{6 + i % 12:02}:30", ["peat", "clay", "a or missing", ""][random.randint(4)],
                 ["true", "false", ""][random.randint(3)], "" if i % 9 == 0 else f"{random.rand() + high:.3f}",
                 f"{1e6 * random.rand():.1f}", "2.50" if high else "-1.0"]  # fmt: skip
        lines.append(";".join(cells))
    (folder / "messy.csv").write_text("\n".join(lines) + "\n")
    return folder / "messy.csv"


@pytest.mark.parametrize("data", ["messy", "iris", "images", "bits"])
def test_the_command_and_python_print_the_same_sentences(command, iris_csv, tmp_path, data):
    model = tmp_path / "m.falsum"
    if data == "images":
        X = np.random.RandomState(0).randint(0, 256, (60, 12)).astype(np.uint8)
        small(booleanizer=Booleanizer(method="levels", bits=3, image_width=4)).fit(X, X[:, 0] > X[:, 5]).save(model)
    else:
        source = {"messy": messy_table(tmp_path), "iris": iris_csv[0], "bits": "noisy-xor"}[data]
        command("train", source, *OPTIONS, "-o", model)
    rules = load(model).rules()
    assert len(rules) > 10
    assert sorted(printed_sentences(command, model)) == sorted(rule.text for rule in rules)
    document = json.loads(command("inspect", model, "--rules", 1_000_000, "--json"))["rules"]
    assert sorted((rule["text"], rule["votes"], rule["clause"], tuple(rule["conditions"])) for rule in document) == sorted(
        (rule.text, rule.weight, rule.clauses[0], rule.literals) for rule in rules
    )
    if data == "messy":
        text = " ".join(rule.text for rule in rules)
        for words in ("planted >= 2024-", ":00", "soil type", " or missing)", "height (cm) (column 5)", "THEN 2.50", "THEN NOT -1.0"):
            assert words in text


def test_labels_come_back_as_they_were(xor, tmp_path):
    X, y = xor
    for labels in ([0, 1], [-3, 12], [1.0, 2.0], [False, True], ["no", "yes"], ["10", "9"]):
        before = small(epochs=2).fit(X, np.array(labels)[y])
        before.save(tmp_path / "m.falsum")
        after = load(tmp_path / "m.falsum")
        assert after.classes_.tolist() == labels and type(after.classes_.tolist()[0]) is type(labels[0])
        assert after.predict(X).tolist() == before.predict(X).tolist()


def test_a_loaded_estimator_says_that_it_cannot_go_on_learning(xor, tmp_path):
    small(epochs=1).fit(*xor).save(tmp_path / "m.falsum")
    with pytest.raises(ValueError, match="cannot go on learning"):
        load(tmp_path / "m.falsum").partial_fit(*xor)


def test_damaged_and_missing_files_are_os_errors(xor, tmp_path):
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "nothing")
    small(epochs=1).fit(*xor).save(tmp_path / "m.falsum")
    content = (tmp_path / "m.falsum").read_bytes()
    (tmp_path / "m.falsum").write_bytes(content[:100] + bytes([content[100] ^ 1]) + content[101:])
    with pytest.raises(OSError, match="damaged|checksum"):
        load(tmp_path / "m.falsum")
    with pytest.raises(OSError, match="cannot write"):
        small(epochs=1).fit(*xor).save(tmp_path / "no" / "folder")


def test_mnist_slow_is_learned_alike(command, tmp_path):
    command("train", "mnist", *OPTIONS[:6], "--epochs", 1, "--seed", 5, "-o", tmp_path / "c.falsum")
    data = load_mnist()
    ours = TMClassifier(clauses=40, threshold=10, specificity=5, epochs=1, random_state=5).fit(data.X_train, data.y_train)
    assert same_clauses(ours.model_, load(tmp_path / "c.falsum").model_)
