"""Images as truth values, against plain loops."""

import math
import pathlib
import sys

import numpy as np
import pytest
from conftest import small

from falsum import TMClassifier, TMComposite, images, plot


@pytest.fixture(scope="module")
def photographs():
    return np.random.RandomState(4).randint(0, 256, (3, 7, 9, 2)).astype(np.uint8)


def test_a_thermometer_has_a_bit_for_each_level_channel_by_channel(photographs):
    bits = images.thermometer(photographs, levels=3)
    assert bits.shape == (3, 7, 9, 6) and bits.dtype == bool
    for (i, r, c, z), on in np.ndenumerate(bits):
        assert on == (photographs[i, r, c, z // 3] >= (z % 3 + 1) * 255 / 4)
    assert (images.thermometer(photographs[..., 0], levels=1) == (photographs[..., :1] >= 127.5)).all()


def test_the_adaptive_mean_is_that_of_plain_loops(photographs):
    bits = images.adaptive_gaussian(photographs, block=5, offset=3)
    assert bits.shape == photographs.shape
    deviation = 0.3 * ((5 - 1) / 2 - 1) + 0.8
    weight = [math.exp(-((k - 2) ** 2) / (2 * deviation**2)) for k in range(5)]
    for (i, r, c, z), on in np.ndenumerate(bits):
        mean = 0.0
        for dr in range(5):
            for dc in range(5):
                row, column = min(max(r + dr - 2, 0), 6), min(max(c + dc - 2, 0), 8)
                mean += weight[dr] * weight[dc] * photographs[i, row, column, z] / sum(weight) ** 2
        assert on == (photographs[i, r, c, z] > round(mean) - 3)
    assert images.adaptive_gaussian(np.full((1, 4, 4), 9)).all()  # a flat area


def test_a_machine_learns_from_them():
    random = np.random.RandomState(5)
    X = random.randint(0, 100, (200, 5, 6))
    y = random.randint(0, 2, 200)
    for image, label in zip(X, y):  # a bright or a half-bright pixel somewhere
        image[random.randint(0, 5), random.randint(0, 6)] = 250 if label else 160
    bits = images.thermometer(X, levels=3)
    fitted = small(clauses=20, threshold=40, weighted=True, specificity=4.0, epochs=10, patch_shape=(1, 1)).fit(bits, y)
    assert fitted.score(bits, y) > 0.95


@pytest.mark.parametrize(
    "call, sentence",
    [(lambda: images.thermometer(np.zeros((2, 3))), "must be images of 3 or 4 dimensions"),
     (lambda: images.thermometer(np.full((1, 2, 2), 256)), "values from 0 to 255"),
     (lambda: images.thermometer(np.full((1, 2, 2), np.nan)), "values from 0 to 255"),
     (lambda: images.thermometer(np.zeros((1, 2, 2)), levels=0), "levels must be a whole number from 1 to 255, got 0"),
     (lambda: images.adaptive_gaussian(np.zeros((1, 2, 2)), block=4), "block must be an odd whole number of at least 3, got 4")],
)  # fmt: skip
def test_what_is_no_image_is_refused(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


def test_a_vertical_edge_votes_for_one_direction():
    image = np.zeros((1, 12, 12))
    image[:, :, 6:] = 200
    bits = images.gradient_histogram(image, cell=4, block=3, bins=8)
    assert bits.shape == (1, 9 * 8)
    cells = bits.reshape(3, 3, 8)
    assert cells[:, 1].any() and not cells[:, 0].any() and not cells[:, 2].any()  # the edge is in the middle cells
    assert not cells[..., 1:].any()  # from dark to bright, left to right: direction 0
    turned = images.gradient_histogram(image.transpose(0, 2, 1), cell=4, block=3, bins=8).reshape(3, 3, 8)
    assert turned[1, :, 2].all() and turned.sum() == 3
    assert images.gradient_histogram(np.zeros((2, 32, 32, 3))).shape == (2, 5832)
    assert not images.gradient_histogram(np.full((1, 32, 32), 7)).any()


def test_gradient_maps_rank_within_an_image(photographs):
    bits = images.gradient_maps(photographs)
    assert bits.shape == (3, 7, 9, 2 * 76) and bits.dtype == bool
    grey = photographs[1, :, :, 1].astype(float)
    first = bits[1, :, :, 76:80]
    assert (first[..., 0] == (grey > 0)).all()
    assert (first[..., 2] == (grey > np.quantile(grey[grey > 0], 0.5))).all()
    padded = np.pad(grey, 1)
    edge = sum(padded[r : r + 7, 2:] - padded[r : r + 7, :-2] for r in (0, 1, 1, 2))
    assert (bits[1, :, :, 80] == (edge > 0)).all()
    assert (bits[1, :, :, 85 + 3] == (-edge > np.quantile(-edge[edge < 0], 0.75))).all()
    assert not images.gradient_maps(np.zeros((1, 8, 8))).any()


def test_gradient_maps_of_an_image_do_not_depend_on_the_others():
    many = np.random.RandomState(7).randint(0, 256, (70, 9, 8)) * (np.random.RandomState(8).rand(70, 9, 8) < 0.4)
    many[3] = 0  # nothing is positive
    many[5], many[5, 2, 2] = 0, 9  # one value is
    bits = images.gradient_maps(many)
    for i in (0, 3, 5, 63, 64, 69):
        assert (images.gradient_maps(many[i : i + 1])[0] == bits[i]).all()
        positive = many[i][many[i] > 0]
        limits = [0, *np.quantile(positive, (0.25, 0.5, 0.75))] if positive.size else [np.inf] * 4
        for z, limit in enumerate(limits):
            assert (bits[i, :, :, z] == (many[i] > limit)).all()


@pytest.mark.parametrize(
    "call, says",
    [
        (lambda X: images.gradient_histogram(X, cell=1), "cell must be a whole number of at least 2, got 1"),
        (lambda X: images.gradient_histogram(X, clip=2), "clip must be above 0 and at most 1, got 2"),
        (lambda X: images.gradient_histogram(X), "at least 3 x 3 cells"),
        (lambda X: images.gradient_maps(X[0, 0]), "3 or 4 dimensions"),
        (lambda X: images.load_cifar10(), "at least one file"),
    ],
)
def test_what_does_not_fit_is_refused(photographs, call, says):
    with pytest.raises(ValueError, match=says):
        call(photographs)


def test_a_folder_of_pictures_is_read_by_class(tmp_path):
    Image = pytest.importorskip("PIL.Image")
    picture = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)
    for label, name in (("cat", "b.png"), ("cat", "a.png"), ("dog", "x.PNG")):
        (tmp_path / label).mkdir(exist_ok=True)
        Image.fromarray(picture if name != "a.png" else picture[::-1].copy()).save(tmp_path / label / name)
    (tmp_path / "dog" / "notes.txt").write_text("left out")
    X, y = images.load_folder(tmp_path, colour=True)
    assert X.shape == (3, 4, 4, 3) and list(y) == ["cat", "cat", "dog"]
    assert (X[0] == picture[::-1]).all() and (X[1] == picture).all()
    assert images.load_folder(tmp_path, (6, 8))[0].shape == (3, 6, 8)
    Image.fromarray(picture[:2]).save(tmp_path / "dog" / "small.png")
    with pytest.raises(ValueError, match="small.png has the size .2, 4. and .*a.png .4, 4."):
        images.load_folder(tmp_path)
    (tmp_path / "dog" / "small.png").write_bytes(b"\x89PNG\r\n\x1a\nrubbish")
    with pytest.raises(ValueError, match="small.png is not a picture that can be read"):
        images.load_folder(tmp_path)
    with pytest.raises(ValueError, match="no folder with pictures"):
        images.load_folder(tmp_path / "cat")
    with pytest.raises(ValueError, match="size must be"):
        images.load_folder(tmp_path, (0, 3))


def test_cifar_files_and_digits_are_images(tmp_path):
    records = np.random.RandomState(1).randint(0, 256, (4, 3073)).astype(np.uint8)
    records[:, 0] = [3, 0, 9, 1]
    path = tmp_path / "data_batch_1.bin"
    path.write_bytes(records.tobytes())
    X, y = images.load_cifar10(path, path)
    assert X.shape == (8, 32, 32, 3) and list(y) == [3, 0, 9, 1] * 2
    assert X[2, 5, 7, 1] == records[2, 1 + 1024 + 5 * 32 + 7]
    path.write_bytes(records.tobytes()[:-1])
    with pytest.raises(ValueError, match="3073 for each image"):
        images.load_cifar10(path)
    X, y = images.load_digits()
    assert X.shape == (1797, 8, 8) and X.max() == 255 and len(y) == 1797


def test_clauses_of_patches_and_fuzzy_clauses_are_drawn():
    pytest.importorskip("matplotlib").use("Agg")
    from matplotlib import pyplot

    X, y = images.load_digits()
    bits = images.thermometer(X, levels=1)[..., 0]
    machine = TMClassifier(clauses=20, threshold=40, specificity=3, epochs=2, weighted=True, patch_shape=(4, 4), random_state=1)
    figure = plot.plot_patterns(machine.fit(bits, y), 3, count=3)
    assert len(figure.axes) == 6 and figure.axes[1].get_title() == "where"
    # The drawn rectangle is where the rule says that the patch lies.
    shown = figure.axes[1].images[0].get_array()
    assert shown.shape == (8, 8) and (shown > 0).sum() >= 16
    pyplot.close(figure)
    fuzzy = TMClassifier(clauses=6, threshold=10, specificity=20, epochs=2, fuzzy=8, max_literals=16, random_state=1)
    figure = plot.plot_patterns(fuzzy.fit(bits.reshape(len(bits), -1), y), 3, count=2)
    assert "8 votes, one less for each" in figure.axes[0].get_title()
    pyplot.close(figure)
    with pytest.raises(ValueError, match="there is no class 11"):
        plot.plot_patterns(machine, 11)
    with pytest.raises(ValueError, match="count must be a whole number from 1 to 100, got 0"):
        plot.plot_patterns(machine, 3, count=0)


@pytest.fixture(scope="module")
def team():
    X, y = images.load_digits()
    inputs = [images.thermometer(X, levels=1)[..., 0], images.gradient_histogram(X, cell=2, block=2)]
    options = {"clauses": 20, "threshold": 40, "specificity": 3, "epochs": 3, "weighted": True, "random_state": 1}
    members = [TMClassifier(patch_shape=(4, 4), **options), TMClassifier(**options)]
    for member, rows in zip(members, inputs):
        member.fit(rows[:1000], y[:1000])
    return members, inputs, y


def test_a_composite_adds_votes_by_their_range(team, tmp_path):
    members, inputs, y = team
    composite = TMComposite(members)
    with pytest.raises(ValueError, match="fit_alphas"):
        composite.predict(inputs)
    composite.fit_alphas([rows[:1000] for rows in inputs])
    votes = [member.votes(rows) for member, rows in zip(members, inputs)]
    assert composite.alphas_ == [int(v[:1000].max() - v[:1000].min()) for v in votes]
    expected = sum(v / alpha for v, alpha in zip(votes, composite.alphas_))
    assert np.allclose(composite.decision_function(inputs), expected)
    held_out = [rows[1000:] for rows in inputs]
    assert (composite.predict(held_out) == composite.predict(inputs)[1000:]).all()  # whatever the batch
    assert composite.score(held_out, y[1000:]) > 0.8
    composite.save(tmp_path / "team")
    read = TMComposite.load(tmp_path / "team")
    assert read.alphas_ == composite.alphas_ and (read.predict(held_out) == composite.predict(held_out)).all()
    assert [entry.name for entry in tmp_path.iterdir()] == ["team"]
    composite.alphas_[1] = 0  # left out
    assert (composite.predict(held_out) == members[0].predict(held_out[0])).all()


def test_a_composite_refuses_what_does_not_fit(team, tmp_path):
    members, inputs, _ = team
    other = TMClassifier(clauses=2, epochs=1).fit(inputs[1][:50], np.arange(50) % 2)
    for call, says in [
        (lambda: TMComposite([]), "members must be 1 to 1000"),
        (lambda: TMComposite([members[0], other]), "member 1 has the classes"),
        (lambda: TMComposite(members, [1, -1]), "weights must be 2 numbers of at least 0"),
        (lambda: TMComposite(members).fit_alphas(inputs[:1]), "a list of 2, one for each member"),
        (lambda: TMComposite(members).fit_alphas([inputs[0], inputs[1][:7]]), "member 1 was given 7 rows"),
        (lambda: TMComposite(members).save(tmp_path / "team"), "fit_alphas"),
    ]:
        with pytest.raises(ValueError, match=says):
            call()


def test_a_file_that_is_no_composite_is_refused(team, tmp_path):
    members, inputs, _ = team
    path = tmp_path / "team"
    TMComposite(members).fit_alphas(inputs).save(path)
    good = path.read_bytes()
    draw = np.random.RandomState(3)
    spoiled = [b"", b"PK", good[:-30], good.replace(b'"version": 1', b'"version": 2'), good.replace(b'"alphas": [', b'"alphas": "')]
    for _ in range(40):
        content = bytearray(good)
        for place in draw.randint(0, len(good), 3):
            content[place] ^= 1 << draw.randint(8)
        spoiled.append(bytes(content))
    for content in spoiled:
        path.write_bytes(content)
        try:
            TMComposite.load(path)
        except ValueError as error:
            assert "team" in str(error)
        else:
            assert content not in spoiled[:5]


def colours_and_shapes(count, seed):
    """Stands in for CIFAR-10: a square or a cross, red or blue, somewhere on a noisy background; the class is both together."""
    draw = np.random.RandomState(seed)
    X = draw.randint(0, 90, (count, 32, 32, 3)).astype(np.uint8)
    y = draw.randint(0, 4, count)
    for image, label in zip(X, y):
        row, column = draw.randint(2, 20, 2)
        if label % 2:
            image[row : row + 9, column : column + 9, label // 2 * 2] = 230
        else:
            image[row + 4, column : column + 9, label // 2 * 2] = image[row : row + 9, column + 4, label // 2 * 2] = 230
    return X, y


def test_the_team_of_four_learns_images_like_those_of_cifar(tmp_path, capsys, monkeypatch):
    monkeypatch.syspath_prepend(pathlib.Path(__file__).parents[2] / "bench")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    import team

    parts = []
    for name, count in (("data_batch_1.bin", 240), ("test_batch.bin", 120)):
        X, y = colours_and_shapes(count, len(parts))
        records = np.concatenate([y[:, None].astype(np.uint8), X.transpose(0, 3, 1, 2).reshape(count, -1)], axis=1)
        (tmp_path / name).write_bytes(records.tobytes())
        parts += images.load_cifar10(tmp_path / name)
    scores = team.team(*parts, epochs=8, seed=1, tell=print, clauses=40, threshold=60)
    assert len(scores) == 5 and scores["all four"] > 0.9
    assert scores["all four"] >= sorted(scores.values())[1]  # no worse than most of its members
    assert "all four: " in capsys.readouterr().out
    for folder, says in ((tmp_path / "nothing", "has no file data_batch_1.bin"), (tmp_path, "3073 for each image")):
        (tmp_path / "test_batch.bin").write_bytes(b"cut")
        with pytest.raises(team.Refusal, match=says):
            team.main([str(folder)])
