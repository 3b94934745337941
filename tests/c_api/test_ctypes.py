"""The C interface by ctypes, held against the command: same files, same options, same bytes and votes."""

import csv
import ctypes
import io
import pathlib
import random
import subprocess
import sys
import threading

import pytest
from library import (
    ARGUMENT,
    COMMAND,
    DATA,
    FILE,
    ROOT,
    Progress,
    Refused,
    Weight,
    array,
    check,
    declarations,
    lib,
    make,
    model_bytes,
    options,
    text,
    texts,
    votes,
)

HERE = pathlib.Path(__file__).resolve().parent
SMALL = {"clauses": 20, "threshold": 10, "specificity": 3.9, "epochs": 3}
SMALL_FLAGS = [word for name, value in SMALL.items() for word in (f"--{name}", str(value))]


def falsum(*arguments):
    result = subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    return result.stdout


def path(file):
    return str(file).encode()


def flower(i, draw, labelled=True):
    big = i % 2
    row = [f"{big * 3 + draw.random():.2f}", "" if i % 11 == 3 else f"{draw.random() * 9:.2f}", draw.choice(["red", "blue"])]
    return ",".join(row + (["rose" if big else "iris"] if labelled else []))


@pytest.fixture
def flowers(tmp_path):
    """Training data, and new rows without a label."""
    draw = random.Random(1)
    train, new = tmp_path / "flowers.csv", tmp_path / "new.csv"
    train.write_text("\n".join(["width,height,colour,kind", *(flower(i, draw) for i in range(90))]) + "\n")
    new.write_text("\n".join(["width,height,colour", *(flower(i, draw, labelled=False) for i in range(30))]) + "\n")
    return train, new


@pytest.fixture
def reviews(tmp_path):
    """Sparse rows: SVMlight."""
    draw = random.Random(2)
    file = tmp_path / "reviews.svm"
    lines = []
    for i in range(80):
        words = sorted({draw.randrange(2, 200) for _ in range(9)} | ({1} if i % 2 else set()))
        lines.append(" ".join([str(i % 2), *(f"{word}:1" for word in words)]))
    file.write_text("\n".join(lines) + "\n")
    return file


def train(data, **more):
    return make("train_file", path(data), options(**SMALL, **more), Progress(), None)


@pytest.mark.parametrize(
    "more", [{}, {"seed": 7, "boost": "false", "quantiles": 3}, {"label": "colour", "ignore": "kind,height"}, {"max_weight": 50}]
)
def test_a_file_trains_the_model_of_the_command_byte_for_byte(flowers, tmp_path, more):
    saved = tmp_path / "flowers.falsum"
    flags = [f"--{name.replace('_', '-')}={value}" if name != "boost" else "--no-boost" for name, value in more.items()]
    falsum("train", flowers[0], *SMALL_FLAGS, *flags, "-o", saved)
    model = train(flowers[0], **more)
    assert model_bytes(model) == saved.read_bytes()
    assert text("model_provenance", model, b"data") == "flowers.csv"


def test_sparse_files_train_the_model_of_the_command_too(reviews, tmp_path):
    saved = tmp_path / "reviews.falsum"
    falsum("train", reviews, *SMALL_FLAGS, "-o", saved)
    model = train(reviews)
    assert model_bytes(model) == saved.read_bytes()
    predicted = texts("predict_file", model, path(reviews), None)
    assert predicted == falsum("predict", saved, reviews).split()


def test_labels_and_votes_are_those_of_the_command(flowers, tmp_path):
    model = train(flowers[0])
    saved = tmp_path / "flowers.falsum"
    check(lib.falsum_model_save(model, path(saved)))
    rows = list(csv.reader(io.StringIO(falsum("predict", saved, flowers[1], "--votes"))))
    assert rows[0] == ["label", "votes:iris", "votes:rose"]
    assert texts("predict_file", model, path(flowers[1]), None) == [row[0] for row in rows[1:]]
    data = make("data_load_for", model, path(flowers[1]), 0, None)
    for engine in [None, b"scan", b"index", b"bitmap", b"sliced"]:
        predictor = make("predictor_new", model, engine, None)
        assert votes(predictor, lib.falsum_data_rows(data), 2) == [int(cell) for row in rows[1:] for cell in row[1:]]
        lib.falsum_predictor_free(predictor)
    assert array(ctypes.c_uint32, "data_labels", data) == []
    lib.falsum_data_free(data)


def test_rules_are_those_of_the_command(flowers, tmp_path):
    model = train(flowers[0])
    saved = tmp_path / "flowers.falsum"
    check(lib.falsum_model_save(model, path(saved)))
    printed = " ".join(falsum("inspect", saved, "--rules", "1000").split())
    for output in range(2):
        rules = texts("model_rules", model, output)
        assert rules and [rule for rule in rules if " ".join(rule.split()) not in printed] == []


def test_one_set_of_options_trains_and_predicts(flowers):
    """A binding keeps its options: what belongs to training must not be in the way of predicting."""
    chosen = options(**SMALL, label="kind", ignore="height", number="width", category="colour", quantiles=4, threads=2,
                     engine="lookahead")
    model = make("train_file", path(flowers[0]), chosen, Progress(), None)
    predicted = texts("predict_file", model, path(flowers[1]), chosen)
    assert predicted == texts("predict_file", model, path(flowers[1]), None) and set(predicted) == {"iris", "rose"}
    assert texts("predict_file", model, path(flowers[0]), chosen)[:2] == ["iris", "rose"]
    bare = flowers[1].with_name("bare.csv")
    bare.write_text("colour,width\nred,0.2\nblue,3.3\n")
    assert texts("predict_file", model, path(bare), chosen) == ["iris", "rose"]


def test_the_steps_are_those_of_train_file(flowers):
    chosen = options(**SMALL)
    data = make("data_load", path(flowers[0]), chosen)
    rows, labels = lib.falsum_data_rows(data), array(ctypes.c_uint32, "data_labels", data)
    assert texts("data_label_names", data) == ["iris", "rose"] and labels[:4] == [0, 1, 0, 1]
    assert lib.falsum_rows_count(rows) == 90 == len(labels)
    machine = make("machine_new", chosen, lib.falsum_rows_features(rows), 2)
    for _ in range(3):
        check(lib.falsum_machine_learn_epoch(machine, rows, (ctypes.c_uint32 * 90)(*labels), 90, Progress(), None, None))
    plain = make("machine_model", machine)
    finished = make("data_describe", data, plain)
    assert model_bytes(finished) == model_bytes(train(flowers[0], calibration="none"))
    with pytest.raises(Refused, match="does not say what its") as error:
        texts("predict_file", plain, path(flowers[1]), None)
    assert error.value.status == DATA
    tested = make("data_load_for", finished, path(flowers[0]), 1, None)
    assert array(ctypes.c_uint32, "data_labels", tested) == labels
    names = texts("model_literal_names", finished)
    assert "height is missing" in names and len(names) == 2 * lib.falsum_model_features(finished)


def test_row_weights_of_a_column_are_those_that_a_program_gives(flowers, tmp_path):
    lines = flowers[0].read_text().splitlines()
    weighted = tmp_path / "weighted.csv"
    weighted.write_text("\n".join([f"{lines[0]},w"] + [f"{line},{i % 3}" for i, line in enumerate(lines[1:])]))
    chosen = options(**SMALL, label=lines[0].split(",")[-1], weight_column="w", calibration="none")
    data = make("data_load", path(weighted), chosen)
    rows, labels = lib.falsum_data_rows(data), array(ctypes.c_uint32, "data_labels", data)
    weights = array(ctypes.c_double, "data_weights", data)
    assert weights == [1.0, 2.0] * 30 and lib.falsum_rows_count(rows) == 60
    machine = make("machine_new", chosen, lib.falsum_rows_features(rows), 2)
    given = (ctypes.c_uint32 * 60)(*labels), 60, (ctypes.c_double * 60)(*weights), 60
    for _ in range(3):
        check(lib.falsum_machine_learn_epoch_weighted(machine, rows, *given, Progress(), None, None))
    by_file = make("train_file", path(weighted), chosen, Progress(), None)
    assert model_bytes(make("data_describe", data, make("machine_model", machine))) == model_bytes(by_file)
    assert set(texts("predict_file", by_file, path(flowers[1]), chosen)) == {"iris", "rose"}


def test_names_of_features_let_a_machine_of_bare_bits_read_files(tmp_path):
    bits = [(i & 1, i >> 1 & 1, i >> 2 & 1) for i in range(8)] * 10
    rows = make("rows_from_bytes", bytes(bit for row in bits for bit in row), 240, 80, 3)
    machine = make("machine_new", options(**SMALL), 3, 2)
    labels = (ctypes.c_uint32 * 80)(*(row[0] for row in bits))
    for _ in range(5):
        check(lib.falsum_machine_learn_epoch(machine, rows, labels, 80, Progress(), None, None))
    names = (ctypes.c_char_p * 3)(b"wet", b"cold", b"late")
    model = make("model_described", make("machine_model", machine), (ctypes.c_char_p * 2)(b"stay", b"go"), 2, names, 3, b"by hand")
    assert texts("model_literal_names", model)[3] == "not wet"
    table = tmp_path / "new.csv"
    table.write_text("late,wet,cold\n1,1,0\n1,0,0\n")
    assert texts("predict_file", model, path(table), None) == ["go", "stay"]


def test_a_row_that_cannot_be_read_is_refused_or_left_out(flowers, tmp_path):
    model = train(flowers[0])
    table = tmp_path / "new.csv"
    table.write_text("width,height,colour\n0.1,2,red\nwide,2,red\n3.4,2,blue\n")
    with pytest.raises(Refused, match="wide") as error:
        texts("predict_file", model, path(table), None)
    assert error.value.status == DATA
    skipping = options(bad_rows="skip")
    assert texts("predict_file", model, path(table), skipping) == ["iris", "", "rose"]
    data = make("data_load_for", model, path(table), 0, skipping)
    assert lib.falsum_rows_count(lib.falsum_data_rows(data)) == 2
    assert any("left out" in note for note in texts("data_notes", data))


def refused(status, word, call):
    with pytest.raises(Refused, match=word) as error:
        call()
    assert error.value.status == status, error.value


def test_files_and_options_that_are_wrong_are_named(flowers, tmp_path):
    (tmp_path / "same.csv").write_text("a,b\n" + "1,x\n2,x\n" * 9)
    (tmp_path / "short.csv").write_text("width,height\n1,2\n")
    refused(FILE, "nowhere.csv", lambda: train(tmp_path / "nowhere.csv"))
    refused(ARGUMENT, "vocabulary is for text, but flowers.csv is tables", lambda: train(flowers[0], vocabulary=100))
    refused(ARGUMENT, "memory", lambda: make("train_file", path(flowers[0]), options(clauses=1000000, max_memory=1), Progress(), None))
    refused(ARGUMENT, "data must not be NULL", lambda: make("train_file", None, None, Progress(), None))
    refused(ARGUMENT, "model must not be NULL", lambda: make("predict_file", None, path(flowers[1]), None))
    refused(DATA, "needs at least 2 different ones", lambda: train(tmp_path / "same.csv"))
    refused(DATA, "colour", lambda: make("predict_file", train(flowers[0]), path(tmp_path / "short.csv"), None))


def test_progress_is_told_and_can_stop(flowers):
    shares = []

    @Progress
    def note(user, done):
        shares.append(done)
        return 0

    check(lib.falsum_train_file(path(flowers[0]), options(**SMALL), note, None, ctypes.byref(ctypes.c_void_p())))
    assert shares == sorted(shares) and len(shares) >= 3 and shares[-1] == pytest.approx(1)

    stopping = Progress(lambda user, done: 1)
    model = make("train_file", path(flowers[0]), options(**SMALL), stopping, None)
    assert text("model_provenance", model, b"epochs") in ("0", "1")  # not 3
    assert texts("predict_file", model, path(flowers[1]), None)


def test_clauses_and_weights_give_the_votes():
    draw = random.Random(3)
    bits = [[draw.randrange(2) for _ in range(6)] for _ in range(120)]
    rows = make("rows_from_bytes", bytes(bit for row in bits for bit in row), 720, 120, 6)
    machine = make("machine_new", options(**SMALL), 6, 3)
    labels = (ctypes.c_uint32 * 120)(*(row[0] + row[1] for row in bits))
    check(lib.falsum_machine_learn_epoch(machine, rows, labels, 120, Progress(), None, None))
    model = make("machine_model", machine)
    clauses = [array(ctypes.c_uint32, "model_clause", model, c) for c in range(lib.falsum_model_clauses(model))]
    assert len(clauses) == 60 and all(literals == sorted(literals) for literals in clauses)
    by_hand = []
    for row in bits:
        literals = row + [1 - bit for bit in row]
        holds = [clause != [] and all(literals[k] for k in clause) for clause in clauses]
        by_hand += [sum(w.votes for w in array(Weight, "model_weights", model, output) if holds[w.clause]) for output in range(3)]
    assert any(by_hand) and by_hand == votes(make("predictor_new", model, None, None), rows)


def test_threads_share_a_predictor(flowers):
    model = train(flowers[0])
    predictor = make("predictor_new", model, None, None)
    data = make("data_load_for", model, path(flowers[0]), 0, None)
    rows = lib.falsum_data_rows(data)
    expected, wrong = votes(predictor, rows), []

    def ask(number):
        for _ in range(50):
            if votes(predictor, rows, 1 + number % 3) != expected:
                wrong.append(number)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.parametrize(("name", "result", "types"), declarations(), ids=lambda value: value if "falsum_" in value else "")
def test_every_function_takes_nothing_but_null(name, result, types):
    returned = getattr(lib, name)(*(Progress() if kind == "falsum_progress" else None if "*" in kind else 0 for kind in types))
    if result == "int":
        assert returned == ARGUMENT and b" must not be NULL" in lib.falsum_last_error()
    elif types != [] and result != "void":
        assert not returned and b" must not be NULL" in lib.falsum_last_error()


def test_a_lack_of_memory_is_a_status():
    """In a process that may have 2 GB, a machine of 40 GB that the option lets pass."""
    program = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30)); import library\n"
        "try: library.make('machine_new', library.options(clauses=100000, max_memory=1000000), 100000, 2)\n"
        "except library.Refused as refused: print(refused.status, refused)"
    )
    result = subprocess.run([sys.executable, "-B", "-c", program], cwd=HERE, capture_output=True, text=True, timeout=60)
    assert result.stdout == "4 there is not enough memory\n", result.stderr


def test_every_thread_has_its_own_last_error():
    messages = {}

    def fail(name):
        assert lib.falsum_last_error() == b""
        with pytest.raises(Refused):
            options(**{name: 1})
        messages[name] = lib.falsum_last_error().decode()

    threads = [threading.Thread(target=fail, args=(name,)) for name in ("red", "green", "blue")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(f'"{name}"' in message for name, message in messages.items()) and len(messages) == 3


def test_options_are_those_of_the_command_and_those_of_the_page():
    names = texts("option_names")
    listed, page = falsum("options", "--json"), (ROOT / "docs" / "c_api.md").read_text(encoding="utf-8")
    known = [name for name in names if f'"name": "{name}"' in listed]
    assert known[0] == "task" and known[-1] == "select" and names[: len(known)] == known
    assert [name for name in names[len(known) :] if f"`{name}`" not in page] == []
    chosen = options()
    assert text("options_get", chosen, b"clauses") == "auto" and text("options_get", chosen, b"select") == "chi2"
    assert "clauses per class" in text("option_help", b"clauses")
