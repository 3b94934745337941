"""A match of falsum-hex against OpenSpiel's Monte Carlo tree search (its C++ bot) at equal time a move.

    openspiel_match.py falsum-hex [arguments of `falsum-hex htp`] -- --size 7 --pairs 100 --seconds 0.02

Both play every opening of two random stones twice, with the colours exchanged, and both have a clock; the mean times that they
took are printed.
"""

import argparse
import math
import random
import subprocess
import sys
import time

import pyspiel


class Falsum:
    """Moves by the text protocol."""

    def __init__(self, command, size, seconds):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.seconds, self.moves = 0.0, 0
        self.size = size
        self.ask(f"boardsize {size}")
        self.ask(f"time_settings 0 {seconds} 1")

    def ask(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        answer = ""
        while not answer.endswith("\n\n"):
            answer += self.process.stdout.readline()
        if answer[0] != "=":
            raise RuntimeError(f"{command}: {answer.strip()}")
        return answer[1:].strip()

    def name(self, cell):
        return f"{chr(ord('a') + cell % self.size)}{cell // self.size + 1}"

    def start(self):
        self.ask("clear_board")

    def see(self, player, cell):
        self.ask(f"play {'bw'[player]} {self.name(cell)}")

    def move(self, state):
        begin = time.perf_counter()
        name = self.ask(f"reg_genmove {'bw'[state.current_player()]}")
        self.seconds += time.perf_counter() - begin
        self.moves += 1
        return (int(name[1:]) - 1) * self.size + ord(name[0]) - ord("a")


class OpenSpiel:
    def __init__(self, game, seconds, exploration, seed):
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed)
        limits = {"max_simulations": 10**7, "max_memory_mb": 1000, "max_wall_clock_time": seconds}
        self.bot = pyspiel.MCTSBot(game, evaluator, exploration, solve=False, seed=seed, verbose=False, **limits)
        self.seconds, self.moves = 0.0, 0

    def start(self):
        self.bot.restart()

    def see(self, player, cell):
        pass

    def move(self, state):
        begin = time.perf_counter()
        cell = self.bot.step(state)
        self.seconds += time.perf_counter() - begin
        self.moves += 1
        return cell


def black_wins(game, opening, black, white):
    state = game.new_initial_state()
    black.start()
    white.start()
    for cell in opening:
        for player in (black, white):
            player.see(state.current_player(), cell)
        state.apply_action(cell)
    while not state.is_terminal():
        mover = (black, white)[state.current_player()]
        cell = mover.move(state)
        for player in (black, white):
            player.see(state.current_player(), cell)
        state.apply_action(cell)
    return state.returns()[0] > 0


def elo(share, pairs):
    least = 0.25 / pairs
    clipped = min(max(share, least), 1 - least)
    return 400 * math.log10(clipped / (1 - clipped))


def main():
    if "--" not in sys.argv:
        sys.exit(__doc__)
    split = sys.argv.index("--")
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, default=7)
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=0.02)
    parser.add_argument("--exploration", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    settings = parser.parse_args(sys.argv[split + 1 :])
    game = pyspiel.load_game("hex", {"board_size": settings.size})
    ours = Falsum(sys.argv[1:split], settings.size, settings.seconds)
    theirs = OpenSpiel(game, settings.seconds, settings.exploration, settings.seed)
    draw = random.Random(settings.seed)
    points = []
    for pair in range(settings.pairs):
        opening = draw.sample(range(settings.size**2), 2)
        points.append(int(black_wins(game, opening, ours, theirs)) + int(not black_wins(game, opening, theirs, ours)))
        print(f"\r{pair + 1} of {settings.pairs} pairs, {50 * sum(points) / len(points):.1f}%  ", end="", file=sys.stderr)
    print(file=sys.stderr)
    share = sum(points) / (2 * len(points))
    deviation = math.sqrt(sum((p / 2 - share) ** 2 for p in points) / max(1, len(points) - 1) / len(points))
    half = max(1.96 * deviation, 0.25 / len(points))
    low, middle, high = (elo(share + x, len(points)) for x in (-half, 0, half))
    print(
        f"falsum-hex against OpenSpiel's MCTS, {settings.size}x{settings.size}, {2 * len(points)} games: {100 * share:.1f}% of the points, "
        f"Elo {middle:+.0f} (95%: {low:+.0f} to {high:+.0f}); {1000 * ours.seconds / ours.moves:.1f} and "
        f"{1000 * theirs.seconds / theirs.moves:.1f} ms a move"
    )
    ours.ask("quit")


main()
