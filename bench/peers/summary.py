"""From times to a table: medians, ratios, Markdown. Nothing here measures."""

import statistics


def microseconds(answers):
    """Processor time a sample of one round, which may consist of several answers."""
    return 1e6 * sum(a["cpu"] for a in answers) / sum(a["samples"] for a in answers)


def ratios(theirs, ours):
    """Round by round; rounds that only one of the two has are left out."""
    return [t / o for t, o in zip(theirs, ours)]


def interval(values):
    """Median, least, most."""
    return {"median": statistics.median(values), "least": min(values), "most": max(values)}


def number(value):
    """Three digits that matter: 0.79, 24.3, 314."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def ratio_text(values):
    if not values:
        return "–"
    i = interval(values)
    return f"{number(i['median'])}x ({number(i['least'])}–{number(i['most'])})"


def markdown_table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows])


def busy_text(result):
    """A warning where other processes ran beside a row: their share of the caches is in the times."""
    load = result.get("load", 0)
    return f" Other processes ran beside: load {load:.1f}." if load > 2 else ""


def mean_text(scores):
    """The mean of the seeds, and their standard deviation."""
    key, scale, unit = ("rmse", 1, "") if "rmse" in scores[0] else ("accuracy", 100, "%")
    values = [scale * score[key] for score in scores]
    spread = f" ({statistics.stdev(values):.2f})" if len(values) > 1 else ""
    return f"{statistics.mean(values):.{2 if unit else 3}f}{unit}{spread}"


def accuracy_markdown(found):
    """Scores on the test data after some epochs, mean over the seeds (standard deviation)."""
    epochs = shown_epochs(found["epochs"])
    lines = []
    for system in dict.fromkeys(run["system"] for run in found["runs"]):
        runs = [run for run in found["runs"] if run["system"] == system]
        lines.append([system, len(runs), *(mean_text([run["scores"][e - 1] for run in runs]) for e in epochs)])
    heading = f"**{found['title']}**: score on the test data after some epochs, mean of the seeds (standard deviation)\n\n"
    return heading + markdown_table(["system", "seeds", *(f"epoch {e}" for e in epochs)], lines) + "\n"


MEASURES = [("learning", "learning, trained"), ("batch", "batch"), ("single", "one at a time")]


def score_text(answer):
    return f"RMSE {answer['rmse']:.3f}" if "rmse" in answer else f"{100 * answer['accuracy']:.2f}%"


def epoch_of(system, epoch):
    return next((e for e in system["epochs"] if e["epoch"] == epoch), None)


def epoch_text(system, epoch, ours=None):
    """Its seconds, how many times falsum's they are, and its score on the test data where that was taken."""
    e = epoch_of(system, epoch)
    if not e:
        return "–"
    falsum = ours and ours is not system and epoch_of(ours, epoch)
    beside = [f"{number(e['cpu'] / falsum['cpu'])}x"] if falsum else []
    beside += [score_text(e)] if "accuracy" in e or "rmse" in e else []
    text = f"{e['cpu']:.2f}" + ("†" if e.get("prepared") else "\\*" if e.get("cached") else "")
    return text + (f" ({', '.join(beside)})" if beside else "")


def shown_epochs(last):
    return sorted({1, 2, 5, last} & set(range(1, last + 1)))


def row_markdown(result):
    """The section of one row: a line for each system, its ratios to falsum beside its times."""
    ours = result["systems"]["falsum"]
    last = result["row"]["epochs"]
    shown = shown_epochs(last)
    header = ["system", "clauses in all", "T"] + [f"epoch {e}, s" for e in shown]
    for _, title in MEASURES:
        header += [f"{title}, us", "peer / falsum"]
    header += ["accuracy", "peak memory, MB"]
    lines = []
    for name, system in result["systems"].items():
        if "failed" in system:
            lines.append([system["label"]] + ["–"] * (len(header) - 2) + [system["failed"]])
            continue
        line = [system["label"], f"{system['total_clauses']:,}", system["threshold"]]
        line += [epoch_text(system, e, ours) for e in shown]
        for measure, _ in MEASURES:
            times = system.get(measure, {}).get("microseconds", [])
            line.append(number(statistics.median(times)) if times else "–")
            line.append("1" if name == "falsum" else ratio_text(ratios(times, ours[measure]["microseconds"])))
        line.append(score_text(system) + ("" if system["accuracy_on"] == result["test"] else "~"))
        line.append(f"{system['peak_memory'] / 1e6:,.0f}")
        lines.append(line)
    text = f"### {result['row']['name']}: {result['title']}\n\n"
    fewer = [f" ({s['label']}: {s['trained_epochs']})" for s in result["systems"].values()
             if s.get("trained_epochs", last) < last]  # fmt: skip
    text += f"Trained state: {last} epochs{''.join(fewer)} of {result['samples']:,} samples. "
    text += f"{result['rounds']} interleaved rounds; "
    text += "ratios: median (least–most). " + conditions(result) + "\n\n"
    text += markdown_table(header, lines) + "\n"
    return text


def conditions(result):
    return (
        f"{result['cpu']}, {result['compiler']}, falsum {result['commit']}, {result['date']}.{busy_text(result)}"
    )


def systems_table(results):
    """Version and conditions of every system that is in one of the results."""
    known = {}
    for result in results:
        known.update(result["systems"])
    lines = [[s["label"], s.get("version", ""), s.get("note", "")] for s in known.values() if "failed" not in s]
    return markdown_table(["system", "version", "conditions"], lines) + "\n"


def document(results, missing):
    text = "# falsum beside its peers\n\n"
    text += "Made by `make bench-peers`; what is measured and how to read it: `bench/README.md`. "
    text += "One thread, processor time. Times in us are a sample. "
    text += "\\* measured in an earlier run; † in an earlier run, beside other work; ~ on a part of the test set.\n\n"
    text += systems_table(results) + "\n" + "\n".join(row_markdown(result) for result in results)
    if missing:
        text += "\n## Not measured\n\n" + "\n".join(f"- {name}: {why}" for name, why in missing) + "\n"
    return text
