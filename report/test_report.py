"""The page of `falsum report` in a real browser: what it shows is what the command says. Run by `make test-report`.

FALSUM_COMMAND is the command, FALSUM_AXE axe-core's script.
"""

import json
import os
import pathlib
import random
import re
import struct
import subprocess
import sys

import pytest
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests" / "export"))
import golden

COMMAND = os.environ["FALSUM_COMMAND"]
HOSTILE = "</script><img src=x onerror=alert(1)>"


def falsum(*arguments):
    return subprocess.run([COMMAND, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        yield browser
        browser.close()


class Opened:
    """A page with everything it asked for and complained about."""

    def __init__(self, browser, path, **options):
        self.page = browser.new_page(viewport={"width": 1280, "height": 900}, **options)
        self.requests, self.complaints = [], []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: self.complaints.append("dialog " + dialog.message))
        self.page.goto(path.as_uri())
        self.page.wait_for_selector("html[data-ready]", timeout=60_000)

    def votes(self):
        return self.page.eval_on_selector_all("[data-output]", "all => all.map(e => Number(e.dataset.votes))")

    def fired(self):
        return self.page.eval_on_selector_all("[data-fired]", "all => all.map(e => Number(e.dataset.fired))")

    def features(self):
        return self.page.evaluate("Array.from(falsumReport.predictor.isOn)")


def table(path, rows, seed, hostile=False):
    draw = random.Random(seed)
    name = HOSTILE if hostile else "sepal"
    lines = [f'"{name}",petal,colour,fresh,kind']
    for _ in range(rows):
        kind = draw.choice(["rose", "lily", HOSTILE if hostile else "iris"])
        sepal, petal = {"rose": (5, 1.4), "lily": (6, 4.2)}.get(kind, (6.6, 5.5))
        colour = draw.choice(["red", "white", HOSTILE if hostile else "blue"])
        missing = draw.random() < 0.05
        length = "" if missing else f"{draw.gauss(petal, 0.5):.2f}"
        lines.append(f'{draw.gauss(sepal, 0.5):.2f},{length},"{colour}",{draw.random() < 0.5},"{kind}"')
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture(scope="session")
def flowers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("flowers")
    table(folder / "train.csv", 400, 1)
    table(folder / "test.csv", 200, 2)
    falsum("train", folder / "train.csv", "-o", folder / "model.falsum", "--clauses", 60, "--epochs", 10)
    falsum("report", folder / "model.falsum", folder / "test.csv", "-o", folder / "report.html")
    return folder


@pytest.fixture(scope="session")
def digits(tmp_path_factory):
    folder = tmp_path_factory.mktemp("digits")
    falsum("train", "mnist", "-o", folder / "model.falsum", "--clauses", 2000, "--epochs", 1)
    falsum("report", folder / "model.falsum", "mnist", "-o", folder / "report.html")
    return folder


def command_votes(*arguments):
    return [entry["votes"] for entry in json.loads(falsum("predict", *arguments, "--votes", "--json"))]


# The page's own predictor: it is left as it was, since what is shown follows from it.
ALL_VOTES = """() => {
  const {data, vocabulary, predictor} = falsumReport, shown = Array.from(predictor.isOn.keys()).filter((k) => predictor.isOn[k]);
  const votes = data.rows.map((row) => {
    predictor.set(row.text === undefined ? row.features : wordFeatures(row.text, vocabulary, data.phrases));
    return [row.row, Array.from(predictor.votes)];
  });
  predictor.set(shown);
  return votes;
}"""


def check_rows(opened, votes, least=100):
    found = opened.page.evaluate(ALL_VOTES)
    assert len(found) >= least
    assert [(row, of_row) for row, of_row in found if votes[row] != of_row] == []


def test_every_vote_of_a_table_is_the_command_s(browser, flowers):
    opened = Opened(browser, flowers / "report.html")
    check_rows(opened, command_votes(flowers / "model.falsum", flowers / "test.csv"))
    assert len(opened.requests) == 1 and opened.complaints == []


@pytest.fixture(scope="session")
def models(tmp_path_factory):
    return golden.train(tmp_path_factory.mktemp("golden"))


@pytest.mark.parametrize("name", golden.MODELS)
def test_every_vote_of_every_kind_of_machine_is_the_command_s(browser, models, tmp_path, name):
    folder = next(iter(models.values())).parent
    data = golden.MODELS[name][0].format(golden=golden.ROOT / "tests" / "golden", folder=folder)
    given = [models[name], data, *(["--data-directory", folder / "texts"] if data == "imdb" else [])]
    falsum("report", *given, "-o", tmp_path / "report.html", "--rows", 100)
    opened = Opened(browser, tmp_path / "report.html")
    votes = command_votes(*given)
    check_rows(opened, votes, min(39, len(votes)))
    assert len(opened.requests) == 1 and opened.complaints == []
    for output in range(min(3, len(opened.votes()))):
        opened.page.locator("#rows .controls select").last.select_option(value=str(output))
        assert sum(opened.fired()) == opened.votes()[output]


# Milliseconds from opening to the frame with the largest text or image ("largest contentful paint").
SHOWN = """() => new Promise((done) => new PerformanceObserver((list) => done(list.getEntries().at(-1).startTime))
  .observe({type: "largest-contentful-paint", buffered: true}))"""


def test_every_vote_of_images_is_the_command_s_and_the_page_is_small(browser, digits):
    opened = Opened(browser, digits / "report.html")
    check_rows(opened, command_votes(digits / "model.falsum", "mnist"))
    assert len(opened.requests) == 1 and opened.complaints == []
    size = (digits / "report.html").stat().st_size
    clauses = opened.page.evaluate("falsumReport.data.clauses")
    ready = opened.page.evaluate("Number(document.documentElement.dataset.ready)")
    print(f"\n{clauses:,} clauses: {size:,} bytes, ready {ready} ms after it was opened, shown after {opened.page.evaluate(SHOWN):.0f} ms")
    assert clauses >= 20_000
    assert size < 1_000_000


def test_words_are_found_as_the_booleanizer_finds_them(browser, models, tmp_path):
    texts = models["words"].parent / "texts"
    falsum(
        *["train", "imdb", "--data-directory", texts, "-o", tmp_path / "model.falsum", "--vocabulary", 30, "--phrases", 2],
        *["--select", "frequent", "--clauses", 40, "-T", 15, "-s", 3, "--epochs", 20],
    )
    falsum("report", tmp_path / "model.falsum", "imdb", "--data-directory", texts, "-o", tmp_path / "report.html")
    opened = Opened(browser, tmp_path / "report.html")
    votes = opened.votes()
    assert {text.split()[0] for text in opened.page.evaluate("falsumReport.steps().map((step) => step.text)")} == {"with", "without"}
    opened.page.fill("#text", "It's LOVELY, very!")
    assert opened.votes() != votes
    about = opened.page.locator("#rows .controls select").last
    about.select_option(label="pos")
    marks = opened.page.eval_on_selector_all(".review mark", "all => all.map(e => e.textContent)")
    assert marks and set(marks) <= {"It's", "LOVELY", "very"}
    assert sum(opened.fired()) == opened.votes()[int(about.input_value())]
    assert opened.complaints == []


def value_of(text):
    """A number that fulfils "5.2 <= sepal < 6" or the like, or the category."""
    words = text.split()
    if len(words) == 5:
        return f"{(float(words[0]) + float(words[4])) / 2:.6f}"
    if len(words) == 3 and words[1] == "=":
        return words[2]
    if len(words) == 3:
        return f"{float(words[2]) + (1 if words[1] == '>=' else -1):.6f}"
    return str(words[0] != "not")


def test_200_random_values_give_the_votes_of_the_command(browser, flowers, tmp_path):
    opened = Opened(browser, flowers / "report.html")
    opened.page.select_option("#row", index=3)
    draw, shown, lines = random.Random(3), [], ["sepal,petal,colour,fresh"]
    for column in range(4):  # no value is missing from here on
        opened.page.select_option(f"select[data-column='{column}']", index=draw.randrange(2) + (1 if column < 2 else 0))
    for _ in range(200):
        column = draw.randrange(4)
        select = opened.page.locator(f"select[data-column='{column}']")
        values = [v for v in select.locator("option").evaluate_all("all => all.map(o => o.value)") if int(v) >= 0]
        select.select_option(value=draw.choice(values))
        texts = opened.page.eval_on_selector_all("select[data-column]", "all => all.map(s => s.selectedOptions[0].textContent)")
        lines.append(",".join(value_of(text) for text in texts))
        shown.append(opened.votes())
        output = int(opened.page.locator("#rows .controls select").last.input_value())
        assert sum(opened.fired()) == shown[-1][output]
    (tmp_path / "edits.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert shown == command_votes(flowers / "model.falsum", tmp_path / "edits.csv")


def test_200_drawn_pixels_give_the_votes_of_the_command(browser, digits, tmp_path):
    opened = Opened(browser, digits / "report.html")
    canvas = opened.page.locator("canvas.draw")
    canvas.scroll_into_view_if_needed()
    box, draw, shown, images = canvas.bounding_box(), random.Random(4), [], []
    for _ in range(200):
        row, column = draw.randrange(28), draw.randrange(28)
        opened.page.mouse.click(box["x"] + (column + 0.5) * box["width"] / 28, box["y"] + (row + 0.5) * box["height"] / 28)
        images.append(bytes(255 * bit for bit in opened.features()))
        shown.append(opened.votes())
    assert len({tuple(votes) for votes in shown}) > 20
    (tmp_path / "drawn-idx3-ubyte").write_bytes(struct.pack(">4I", 0x803, 200, 28, 28) + b"".join(images))
    assert shown == command_votes(digits / "model.falsum", tmp_path / "drawn-idx3-ubyte")


def test_a_drawing_by_keyboard_is_a_pixel_at_a_time(browser, digits):
    opened = Opened(browser, digits / "report.html")
    opened.page.get_by_role("button", name="Clear and draw your own").click()
    opened.page.locator("canvas.draw").focus()
    for key in ("ArrowRight", " ", "ArrowRight", " ", "ArrowDown", " ", " "):
        opened.page.keyboard.press(key)
    middle = 28 * 14
    assert [k for k, on in enumerate(opened.features()) if on] == [middle, middle + 1]


def test_a_search_finds_the_rules_that_name_its_words(browser, flowers):
    opened = Opened(browser, flowers / "report.html")
    shown = "all => all.map(e => e.textContent)"
    status = opened.page.locator("#rules p[role=status]")
    before = int(status.inner_text().split()[0].replace(",", ""))
    opened.page.fill("#rules input[type=search]", "PETAL red")
    found = opened.page.eval_on_selector_all("#rules .rule .conditions", shown)
    assert found and all("petal" in text and "red" in text for text in found)
    assert len(found) <= int(status.inner_text().split()[0].replace(",", "")) < before
    opened.page.fill("#rules input[type=search]", "no such word")
    assert status.inner_text().startswith("0 rules")


def test_rules_can_be_put_in_another_order(browser, flowers):
    opened = Opened(browser, flowers / "report.html")
    opened.page.locator("#rules select").nth(2).select_option("lift")
    texts = opened.page.eval_on_selector_all("#rules .numbers", "all => all.map(e => e.textContent)")
    lifts = [float(re.search(r"lift ([0-9.]+)", text)[1]) for text in texts[:10]]
    assert len(texts) > 10 and lifts == sorted(lifts, reverse=True)


def test_bars_sum_to_the_votes_of_every_class(browser, digits):
    opened = Opened(browser, digits / "report.html")
    for row in (0, 7, 31):
        opened.page.select_option("#row", index=row)
        for output, votes in enumerate(opened.votes()):
            opened.page.locator("#rows .controls select").last.select_option(value=str(output))
            assert sum(opened.fired()) == votes


def test_rules_are_worded_as_the_command_words_them(browser, flowers):
    opened = Opened(browser, flowers / "report.html")
    rules = json.loads(falsum("inspect", flowers / "model.falsum", "--rules", 1000, "--json"))["rules"]
    told = {tuple(rule["conditions"]) for rule in rules}
    shown = opened.page.evaluate("falsumReport.rules.map((rule) => falsumReport.conditions(rule.clause))")
    assert len(shown) > 20 and {tuple(conditions) for conditions in shown} <= told


def test_it_says_how_the_model_was_made_as_the_command_does(browser, flowers):
    made = json.loads(falsum("inspect", flowers / "model.falsum", "--json"))
    text = Opened(browser, flowers / "report.html").page.locator("#summary").inner_text()
    assert made["specificity_to"] > made["specificity"] and made["snapshots"] > 1  # chosen for tables
    assert re.search(rf"specificity s\s+{made['specificity']:g} to {made['specificity_to']:g}\s+snapshots\s+{made['snapshots']}\b", text)
    assert re.search(rf"threshold T\s+{made['threshold']}\b", text)


def test_values_to_choose_stay_in_their_cells(browser, flowers):
    opened = Opened(browser, flowers / "report.html")
    sticks_out = "all => all.map(e => e.getBoundingClientRect().right - e.parentElement.getBoundingClientRect().right)"
    found = opened.page.eval_on_selector_all(".edits select", sticks_out)
    assert len(found) == 4 and max(found) <= 0.5


def test_hostile_names_stay_text(browser, tmp_path):
    table(tmp_path / "train.csv", 300, 1, hostile=True)
    falsum("train", tmp_path / "train.csv", "-o", tmp_path / "m.falsum", "--clauses", 20, "--epochs", 5)
    falsum("report", tmp_path / "m.falsum", tmp_path / "train.csv", "-o", tmp_path / "report.html")
    opened = Opened(browser, tmp_path / "report.html")
    assert opened.page.locator("img").count() == 0
    assert HOSTILE in opened.page.locator("#quality").inner_text()
    assert opened.complaints == [] and len(opened.requests) == 1


def test_a_cell_of_the_confusion_shows_its_rows_by_keyboard_alone(browser, flowers):
    opened = Opened(browser, flowers / "report.html")
    cell = opened.page.locator(".confusion button").nth(1)
    cell.focus()
    label = cell.get_attribute("aria-label")
    opened.page.keyboard.press("Enter")
    count, truth, answer = label.split()[0], label.split()[3], label.split()[5]
    status = opened.page.locator("#rows p[role=status]").inner_text()
    assert f"of {truth} answered {answer}" in status and int(status.split()[0]) <= int(count)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(browser, flowers, digits, scheme):
    axe = pathlib.Path(os.environ["FALSUM_AXE"]).read_text(encoding="utf-8")
    for folder in (flowers, digits):
        opened = Opened(browser, folder / "report.html", color_scheme=scheme)
        opened.page.evaluate(axe + "; undefined")
        found = opened.page.evaluate("axe.run()")["violations"]
        bad = [(v["id"], v["impact"], v["nodes"][0]["html"][:200]) for v in found if v["impact"] in ("serious", "critical")]
        assert bad == []


def test_it_prints(browser, flowers, tmp_path):
    opened = Opened(browser, flowers / "report.html")
    opened.page.emulate_media(media="print")
    assert not opened.page.locator("#rules .controls").is_visible() and opened.page.locator("#rules .rule").first.is_visible()
    assert "Votes for and against iris" in opened.page.locator("#features").inner_text()  # which class, without its control
    opened.page.pdf(path=tmp_path / "report.pdf")
    assert (tmp_path / "report.pdf").stat().st_size > 20_000
