"""Data that cannot be used: one sentence that says what and where, and no model is written or changed."""

import gzip
import struct

import pytest
from conftest import FLOWER_HEADER, OLDER_MODEL, SMALL, csv_text, flower_rows


@pytest.fixture
def refuses_to_train(refuses, tmp_path):
    """Training on this text is refused, and a model that was there before stays as it was."""

    def check(name, content, *arguments, says):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        model = tmp_path / "model.fsm"
        model.write_bytes(OLDER_MODEL)
        refuses("train", path, *SMALL, "-o", model, *arguments, says=says)
        assert model.read_bytes() == OLDER_MODEL
        assert not list(tmp_path.glob("*.tmp"))

    return check


def npy(values, shape):
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(values)}d", *values)


def idx_images(folder, name="train", count=40, side=4, compress=True):
    """Images that are bright in one half or the other, with their labels beside them."""
    pixels, labels = bytearray(), bytearray()
    for i in range(count):
        pixels += bytes((200 + i % 50 if (p < side * side // 2) == (i % 2 == 0) else i % 9) for p in range(side * side))
        labels.append(i % 2)
    images = struct.pack(">IIII", 0x803, count, side, side) + bytes(pixels)
    labelled = struct.pack(">II", 0x801, count) + bytes(labels)
    pack, ending = (gzip.compress, ".gz") if compress else (bytes, "")
    path = folder / f"{name}-images-idx3-ubyte{ending}"
    path.write_bytes(pack(images))
    (folder / f"{name}-labels-idx1-ubyte{ending}").write_bytes(pack(labelled))
    return path


# Labels


def test_one_class_is_not_enough(refuses_to_train):
    rows = [row[:3] + ["rose"] for row in flower_rows()]
    refuses_to_train("one.csv", csv_text(rows, FLOWER_HEADER), says=["one.csv", "rose", "2"])


def test_a_file_of_nothing_but_a_header_has_no_class(refuses_to_train):
    refuses_to_train("header.csv", FLOWER_HEADER + "\n", says="header.csv")


def test_images_without_their_labels_cannot_be_learned(refuses, tmp_path):
    path = idx_images(tmp_path)
    (tmp_path / "train-labels-idx1-ubyte.gz").unlink()
    refuses("train", path, *SMALL, says="label")


def test_an_unseen_label_in_the_test_data_is_named(refuses, flowers, tmp_path):
    test = tmp_path / "test.csv"
    test.write_text(csv_text(flower_rows(10) + [["1.0", "2.0", "red", "tulip"]], FLOWER_HEADER))
    model = tmp_path / "model.fsm"
    refuses("train", flowers, "--test", test, *SMALL, "-o", model, says=["tulip", "test.csv"])
    assert not model.exists()


def test_an_unseen_label_in_evaluation_is_named(refuses, flower_model, tmp_path):
    test = tmp_path / "test.csv"
    test.write_text(csv_text(flower_rows(10) + [["1.0", "2.0", "red", "tulip"]], FLOWER_HEADER))
    refuses("evaluate", flower_model, test, says=["tulip", "test.csv"])


@pytest.mark.parametrize("label", ["petal", "9", "-5"])
def test_a_label_column_that_is_not_there_is_named(refuses, flowers, label):
    refuses("train", flowers, *SMALL, "--label", label, says=label)


# Columns and values


def test_a_row_with_too_few_columns_is_named(refuses_to_train):
    text = csv_text(flower_rows(), FLOWER_HEADER) + "1.0,red,rose\n"
    refuses_to_train("short.csv", text, says=["short.csv", "62", "3", "4"])


def test_a_row_with_too_many_columns_is_named(refuses_to_train):
    text = csv_text(flower_rows(), FLOWER_HEADER) + "1.0,2.0,red,rose,5\n"
    refuses_to_train("long.csv", text, says=["long.csv", "62", "5", "4"])


@pytest.mark.parametrize("verb", ["evaluate", "predict"])
def test_data_of_another_width_than_the_model_are_refused(refuses, flower_model, tmp_path, verb):
    narrow = tmp_path / "narrow.csv"
    narrow.write_text("a,kind\n1,rose\n2,iris\n")
    refuses(verb, flower_model, narrow, says=["column"])


def test_test_data_of_another_width_are_refused_before_learning(refuses, flowers, tmp_path):
    narrow = tmp_path / "narrow.csv"
    narrow.write_text("a,kind\n1,rose\n2,iris\n")
    refuses("train", flowers, "--test", narrow, *SMALL, says=["column"])


@pytest.mark.parametrize("value", ["inf", "-inf", "1e999"])
def test_a_number_that_is_not_finite_is_refused(refuses_to_train, value):
    rows = flower_rows()
    rows[7][0] = value
    refuses_to_train("nan.csv", csv_text(rows, FLOWER_HEADER), says=["nan.csv", "width", value])


def test_an_infinite_number_in_an_array_is_refused(refuses_to_train):
    values = [0.5, 1.0, 2.0, float("inf"), 4.0, 1.0]
    refuses_to_train("inf.npy", npy(values, "(2, 3)"), says=["inf.npy", "inf", "row 1"])


@pytest.mark.parametrize("value", ["2", "0.5", "-1"])
def test_a_value_other_than_0_and_1_is_refused_where_the_model_wants_bits(falsum, refuses, tmp_path, value):
    bits = tmp_path / "bits.csv"
    bits.write_text(csv_text([[i % 2, (i // 2) % 2, (i // 4) % 2, i % 2] for i in range(32)], "a,b,c,class"))
    model = tmp_path / "bits.fsm"
    falsum("train", bits, *SMALL, "-o", model)
    broken = tmp_path / "broken.csv"
    broken.write_text(f"a,b,c,class\n0,1,0,1\n1,{value},0,1\n")
    refuses("evaluate", model, broken, says=["broken.csv", value, "0"])
    refuses("predict", model, broken, says=["broken.csv", value, "0"])


def test_a_word_is_refused_where_the_model_wants_numbers(falsum, refuses, flowers, flower_model, tmp_path):
    broken = tmp_path / "broken.csv"
    broken.write_text(flowers.read_text() + "wide,1.5,red,rose\n")
    refuses("evaluate", flower_model, broken, says=["broken.csv", "width", "wide"])


# Files


def test_an_empty_file_is_refused(refuses_to_train):
    refuses_to_train("empty.csv", "", says=["empty.csv", "empty"])


@pytest.mark.parametrize("name", ["empty.npy", "empty.npz", "empty.svm", "train-images-idx3-ubyte", "empty.gz"])
def test_an_empty_file_of_any_kind_is_refused(refuses_to_train, name):
    refuses_to_train(name, "", says=name)


def test_a_missing_file_is_refused(refuses, tmp_path):
    refuses("train", tmp_path / "nowhere.csv", says="nowhere.csv")


def test_a_folder_is_not_a_file(refuses, tmp_path):
    refuses("train", tmp_path, says=str(tmp_path))


@pytest.mark.parametrize("keep", [0.1, 0.5, 0.99])
def test_a_truncated_gzip_is_refused(falsum, refuses, tmp_path, keep):
    path = idx_images(tmp_path)
    falsum("train", path, *SMALL)
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * keep)])
    refuses("train", path, *SMALL, "-o", tmp_path / "model.fsm", says=path.name)
    assert not (tmp_path / "model.fsm").exists()


def test_a_damaged_gzip_is_refused(refuses, tmp_path):
    path = idx_images(tmp_path)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0x55
    path.write_bytes(content)
    refuses("train", path, *SMALL, says=path.name)


def test_images_that_end_too_early_are_refused(refuses, tmp_path):
    path = idx_images(tmp_path, compress=False)
    path.write_bytes(path.read_bytes()[:-5])
    refuses("train", path, *SMALL, says=path.name)


def test_a_missing_data_set_says_how_to_get_it(refuses, tmp_path):
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    line = refuses("train", "imdb", "--data-directory", tmp_path, *SMALL, env=environment, cwd=tmp_path, says="imdb")
    assert "--data-directory" in line or "http" in line or "aclImdb" in line


@pytest.mark.parametrize("name", ["mnist:validation", "noisy-xor:", "mnits"])
def test_a_name_that_is_nearly_built_in_is_refused(refuses, name, tmp_path):
    refuses("train", name, cwd=tmp_path, says=name)


# Models


@pytest.mark.parametrize("verb", [["evaluate"], ["predict"], ["inspect"]])
@pytest.mark.parametrize("keep", [0, 1, 10, 0.5, -1])
def test_a_truncated_model_is_refused(refuses, xor_model, tmp_path, verb, keep):
    content = xor_model.read_bytes()
    broken = tmp_path / "broken.fsm"
    broken.write_bytes(content[: int(len(content) * keep) if keep == 0.5 else keep])
    data = [] if verb == ["inspect"] else ["noisy-xor"]
    refuses(*verb, broken, *data, says="broken.fsm")


def test_a_model_with_a_flipped_bit_is_refused(refuses, xor_model, tmp_path):
    content = xor_model.read_bytes()
    broken = tmp_path / "broken.fsm"
    for position in range(0, len(content), max(1, len(content) // 24)):
        flipped = bytearray(content)
        flipped[position] ^= 1 << (position % 8)
        broken.write_bytes(flipped)
        refuses("inspect", broken, says="broken.fsm")


def test_a_file_that_is_no_model_is_refused(refuses, flowers):
    refuses("inspect", flowers, says="flowers.csv")


def test_a_damaged_checkpoint_is_refused(falsum, refuses, tmp_path):
    checkpoint = tmp_path / "state.fsc"
    falsum("train", "noisy-xor", *SMALL, "--checkpoint", checkpoint)
    content = checkpoint.read_bytes()
    checkpoint.write_bytes(content[:-7])
    refuses("train", "noisy-xor", "--resume", checkpoint, says="state.fsc")
    flipped = bytearray(content)
    flipped[len(content) // 2] ^= 4
    checkpoint.write_bytes(flipped)
    refuses("train", "noisy-xor", "--resume", checkpoint, says="state.fsc")


def test_a_model_is_not_a_checkpoint(refuses, xor_model):
    refuses("train", "noisy-xor", "--resume", xor_model, says="xor.fsm")
