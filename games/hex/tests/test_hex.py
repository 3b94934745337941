"""falsum-hex: rules against OpenSpiel, searches, the protocol, training, and the page in Chromium (`make test-hex`)."""

import json
import os
import random
import re
import subprocess

import pytest

HEX = os.environ["FALSUM_HEX"]


def run(*arguments, text="", code=0):
    done = subprocess.run([HEX, *map(str, arguments)], input=text, capture_output=True, text=True, timeout=600)
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr


@pytest.fixture(scope="session")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hex")
    settings = "--size 5 --rounds 2 --games 120 --rollouts 60 --simulations 30 --value-clauses 100 --value-threshold 40".split()
    settings += "--policy-clauses 20 --policy-threshold 40".split()
    run("train", folder, *settings)
    return folder, settings


@pytest.mark.parametrize("size", [5, 7, 9, 11])
def test_rules_agree_with_openspiel(size):
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("hex", {"board_size": size})
    lines = run("random", "--size", size, "--games", 2500).splitlines()
    assert len(lines) == 2500
    for line in lines:
        *moves, winner = line.split()
        state = game.new_initial_state()
        for move in moves:
            assert not state.is_terminal()
            cell = (int(move[1:]) - 1) * size + ord(move[0]) - ord("a")
            assert cell in state.legal_actions()
            state.apply_action(cell)
        assert state.is_terminal()
        assert winner == ("black" if state.returns()[0] > 0 else "white")


def protocol(lines, *arguments):
    answers = run("htp", *arguments, text="\n".join(lines) + "\n").split("\n\n")
    return [answer.strip() for answer in answers if answer.strip()]


def test_protocol():
    lines = ["1 name", "boardsize 5", "play b c3", "play w c3", "play w z1", "all_legal_moves", "undo", "undo"]
    answers = protocol([*lines, "known_command genmove", "rubbish", "final_score", "quit"])
    assert answers[0] == "=1 falsum-hex"
    assert answers[3] == "? c3 is taken"
    assert answers[4] == "? z1 is no move on this board"
    assert answers[5].endswith("swap-pieces") and "c3" not in answers[5]
    assert answers[7] == "? there is no move to take back"
    assert answers[8] == "= true" and answers[9] == "? unknown command rubbish" and answers[10] == "= cannot score"


def test_a_game_by_protocol_ends_with_a_winner(trained):
    machines = trained[0] / "round-1"
    moves = [f"genmove {'bw'[i % 2]}" for i in range(26)]
    answers = protocol([*moves, "final_score"], "--evaluator", "incremental", "--machines", machines, "--simulations", 20, "--no-swap")
    assert answers[-1] in ("= B+", "= W+") and "? the game is over" in answers
    again = protocol([*moves, "final_score"], "--evaluator", "recompute", "--machines", machines, "--simulations", 20, "--no-swap")
    assert answers == again  # the same numbers, so the same moves


def winner_by_trying_all(black, white, mover, known):
    """0 for black on 4x4, 1 for white."""
    key = (black, white)
    if key not in known:
        known[key] = next((side for side in (0, 1) if connected((black, white)[side], side)), None)
        if known[key] is None:
            stones = [black, white]
            answers = []
            for cell in set(range(16)) - black - white:
                after = [stones[side] | {cell} if side == mover else stones[side] for side in (0, 1)]
                answers.append(winner_by_trying_all(*after, 1 - mover, known))
                if answers[-1] == mover:
                    break
            known[key] = mover if mover in answers else 1 - mover
    return known[key]


def connected(stones, side):
    def along(cell):
        return cell // 4 if side == 0 else cell % 4

    reached = [cell for cell in stones if along(cell) == 0]
    seen = set(reached)
    for cell in reached:
        for row, column in ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)):
            at = (cell // 4 + row, cell % 4 + column)
            other = 4 * at[0] + at[1]
            if min(at) >= 0 and max(at) < 4 and other in stones and other not in seen:
                seen.add(other)
                reached.append(other)
    return any(along(cell) == 3 for cell in seen)


@pytest.mark.parametrize("stones", [5, 6, 8])
def test_the_solver_agrees_with_trying_all_moves(stones):
    draw, lines, expected = random.Random(stones), [], []
    while len(expected) < 20:
        cells = draw.sample(range(16), stones)
        black, white = frozenset(cells[::2]), frozenset(cells[1::2])
        if connected(black, 0) or connected(white, 1):
            continue
        lines += ["boardsize 4", *(f"play {'bw'[i % 2]} {'abcd'[cell % 4]}{cell // 4 + 1}" for i, cell in enumerate(cells)), "solve"]
        expected.append(("black", "white")[winner_by_trying_all(black, white, stones % 2, {})])
    answers = protocol(lines)
    assert [answer[2:] for answer in answers if len(answer) > 1] == expected
    assert len(set(expected)) == 2


def distances_by_links(mine, theirs, edge, size):
    """edge(row, column): how far the cell is from the edge, 0 for the first line. A list of cells by rounds of one stone more."""
    around = ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1))
    inside = {(row, column) for row in range(size) for column in range(size)}
    empty = inside - mine - theirs

    def beside(cell):
        return [(cell[0] + down, cell[1] + across) for down, across in around]

    def linked(a, b):
        return b in beside(a) or len(set(beside(a)) & set(beside(b)) & empty) == 2

    def on_edge(cell):
        below = [other for other in beside(cell) if other in empty and edge(*other) == 0]
        return edge(*cell) == 0 or (edge(*cell) == 1 and len(below) == 2)

    found = {}
    for stones in range(size * size):
        near = {cell for cell in inside - theirs - set(found) if on_edge(cell) or any(linked(cell, other) for other in found)}
        found |= dict.fromkeys(near & empty, stones) if stones else {}
        fresh = {cell for cell in inside & mine - set(found) if on_edge(cell) or any(linked(cell, other) for other in found)}
        while fresh:
            found |= dict.fromkeys(fresh, stones)
            fresh = {cell for cell in mine - set(found) if any(linked(cell, other) for other in found)}
    return [str(found.get((row, column), "-")) for row in range(size) for column in range(size)]


@pytest.mark.parametrize("size", [4, 6, 9])
def test_distances_from_the_edges(size):
    draw, lines, expected, last = random.Random(size), [f"boardsize {size}"], [], size - 1
    for _ in range(10):
        cells = draw.sample(range(size * size), 2 * draw.randint(1, size * size // 3))  # black is to move: nothing is mirrored
        black, white = ({divmod(cell, size) for cell in cells[first::2]} for first in (0, 1))
        moves = (f"play {'bw'[i % 2]} {chr(97 + cell % size)}{cell // size + 1}" for i, cell in enumerate(cells))
        lines += ["clear_board", *moves, "reach"]
        expected.append([
            distances_by_links(black, white, lambda row, column: row, size),
            distances_by_links(black, white, lambda row, column: last - row, size),
            distances_by_links(white, black, lambda row, column: column, size),
            distances_by_links(white, black, lambda row, column: last - column, size),
        ])
    answers = [answer for answer in protocol(lines) if len(answer) > 2]
    assert [[line.split() for line in answer.splitlines()[1:]] for answer in answers] == expected


def test_solved_positions_are_learned_and_wrong_tasks_get_a_sentence(trained):
    few = "--size 4 --positions 400 --tests 100 --least 3 --most 9 --epochs 3 --clauses 100 --threshold 50 --json".split()
    report = json.loads(run("solved", *few))
    assert 700 < report["learned"] <= 800 and report["tested"] == 100 and report["accuracy"] > 0.6
    tuned = json.loads(run("solved", *few, "--tuning"))
    assert tuned["tested"] == 100 and tuned["by_stones"] != report["by_stones"]
    games = trained[0] / "round-0.games"
    by_games = json.loads(run("solved", "--size", 5, "--games", games, "--results", "--least", 6, "--most", 20, "--epochs", 1, "--json"))
    assert by_games["tested"] > 100 and sum(row["positions"] for row in by_games["by_stones"]) == by_games["tested"]
    assert "name their file" in run("solved", "--results", code=2)
    assert "stones must be from least to most" in run("solved", "--least", 9, "--most", 8, code=2)
    assert "size must be from 2 to 8 to be solved, got 9" in run("solved", "--size", 9, code=2)


def test_swap_takes_the_stone_of_the_centre():
    answers = protocol(["play b c3", "genmove w", "showboard"], "--size", 5, "--simulations", 2000)
    assert answers[1] == "= swap-pieces"
    assert re.search(r"3 \\ \. \. W \. \.", answers[2])


def test_training_is_deterministic_and_resumes(trained, tmp_path):
    folder, settings = trained
    run("train", tmp_path, *settings)
    names = ["round-0.games", "round-1.games", "round-0.value.falsum", "round-1.value.falsum", "round-1.policy.falsum"]
    for name in names:
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()
    (tmp_path / names[-1]).unlink()
    run("train", tmp_path, *settings)
    assert (tmp_path / names[-1]).read_bytes() == (folder / names[-1]).read_bytes()
    assert "has other settings" in run("train", tmp_path, *settings[:-2], code=2)


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("match", "steam", "rollout"), "evaluator must be rollout, recompute or incremental, got steam"),
        (("match", "incremental", "rollout"), "evaluator incremental needs machines"),
        (("match", "rollout", "rollout", "--simulations", 0), "a search needs a limit"),
        (("page", "/nowhere", "-o", "x.html"), "/nowhere.value.falsum"),
        (("train", "x", "--size", 99), "99"),
    ],
)
def test_wrong_arguments_get_a_sentence(arguments, message):
    assert message in run(*arguments, code=2)


@pytest.mark.parametrize("size", [3, 5, 8, 9, 11])  # of one word, and of two
def test_rollouts_are_won_as_often_as_random_games(size):
    line = run("random", "--size", size, "--games", 40000, "--summary")
    games, rollouts = map(float, re.findall(r"([0-9.]+)%", line))
    assert 50 < games < 75 and abs(games - rollouts) < 1.5  # four standard errors

def test_matches_of_the_same_player_are_even(trained):
    machines = trained[0] / "round-1"
    limits = "--size 5 --pairs 4 --simulations 20 --rollout-share 0 --json".split()  # nothing is drawn at random
    result = json.loads(run("match", f"incremental:{machines}", f"recompute:{machines}", *limits))
    assert result["share"] == 0.5 and result["games"] == 8


@pytest.fixture(scope="session")
def browser():
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as running:
        chromium = running.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        yield chromium
        chromium.close()


def expect(page, selector):
    """Waits without a script in the page, which its policy does not allow."""
    from playwright import sync_api

    return sync_api.expect(page.locator(selector).first)


@pytest.fixture
def page(browser, trained, tmp_path):
    path = tmp_path / "hex.html"
    run("page", trained[0] / "round-1", "-o", path)
    page = browser.new_page()
    page.requests, page.problems = [], []
    page.on("request", lambda request: page.requests.append(request.url))
    page.on("console", lambda message: page.problems.append(message.text))
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.goto(path.as_uri())
    yield page
    assert page.problems == [] and page.requests == [path.as_uri()]
    page.close()


def test_a_person_plays_a_whole_game_on_the_page(page):
    page.select_option("#simulations", "100")
    for _ in range(25):
        expect(page, "#status").not_to_have_text(re.compile("^The machine"), timeout=30000)
        if "has won" in page.inner_text("#status"):
            break
        page.locator(".cell[aria-label$=empty]").first.click()
    expect(page, "#status").to_contain_text("has won")
    page.click("#undo")
    expect(page, "#status").to_have_text("Your move.", timeout=30000)


def test_the_page_counts_votes_by_flips_as_by_reading_every_clause(page):
    wrong = page.evaluate(
        """() => {
          let wrong = 0, seed = 1;
          const random = n => (seed = (seed * 48271) % 2147483647) % n;
          for (const machine of [model.value, model.policy]) {
            const position = new Position(machine);
            for (let step = 0; step < 300; ++step) {
              position.flip(random(features));
              const votes = new Int32Array(machine.outputs);
              for (const [output, weight, ...literals] of machine.clauses)
                if (literals.every(l => l < features ? position.on[l] : !position.on[l - features])) votes[output] += weight;
              wrong += votes.some((v, output) => v !== position.votes[output]);
            }
          }
          return wrong;
        }"""
    )
    assert wrong == 0


def test_clauses_are_drawn_on_the_board(page):
    page.locator(".cell[data-cell=c3]").click()
    expect(page, "#status").to_have_text("Your move.", timeout=30000)
    assert page.locator(".mark").count() == 0
    for which in ("black", "white", "move"):
        page.select_option("#which", which)
        if page.locator("#clauses button").count():
            break
    page.locator("#clauses button").first.click()
    assert page.locator("#clauses button[aria-pressed=true]").count() == 1
    assert page.locator(".mark").count() >= 1


def test_the_page_plays_by_keyboard(page):
    page.locator(".cell[data-cell=b2]").focus()
    page.keyboard.press("Enter")
    expect(page, "[data-cell=b2][aria-label='b2 black'], .stone-white").to_be_attached(timeout=30000)
