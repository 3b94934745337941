"""Files written byte by byte, as programs that cannot be run here are known to write them (Excel, Spark, the UCI
repository, Java and JavaScript), and files that went wrong on their way."""

import lzma
import random
import sqlite3

import tables


def text_of(rows, columns=None, sep=",", end="\n", header=True):
    columns = columns or list(rows[0])
    lines = [sep.join(columns)] if header else []
    lines += [sep.join("" if v is None else str(v) for v in record) for record in tables.records(rows, columns)]
    return end.join(lines) + end


def comma(number):
    return str(number).replace(".", ",")


def grouped(number, mark, decimal, digits=2):
    return f"{number:,.{digits}f}".replace(".", "d").replace(",", mark).replace("d", decimal)


def changed(rows, **how):
    return [{k: how[k](v) if k in how and v is not None else v for k, v in row.items()} for row in rows]


def like_excel(write):
    flowers = tables.flowers()
    write("excel_unicode_text.txt", "\ufeff" + text_of(flowers, sep="\t", end="\r\n"), "utf-16-le")
    write("excel_utf16_big_endian.csv", "\ufeff" + text_of(flowers, sep=";", end="\r\n"), "utf-16-be")
    write("excel_csv_utf8.csv", "\ufeff" + text_of(flowers, end="\r\n"))
    write("excel_sep_line.csv", "sep=;\r\n" + text_of(flowers, sep=";", end="\r\n"))
    german = changed(flowers, width=comma, height=comma)
    write("excel_german.csv", text_of(german, sep=";", end="\r\n"))
    write("excel_german_no_header.csv", text_of(german, sep=";", end="\r\n", header=False))
    write("excel_german_unicode.txt", "\ufeff" + text_of(german, sep="\t", end="\r\n"), "utf-16-le")
    write("excel_empty_rows_at_the_end.csv", text_of(flowers, end="\r\n") + ",,,\r\n" * 12)
    write("excel_not_available.csv", text_of(tables.flowers_with_holes(), end="\r\n").replace(",,", ",#N/A,"))
    write("excel_mac_cr.csv", text_of(flowers, end="\r"))


def like_spark_java_and_javascript(write):
    holes = tables.flowers_with_holes()
    said = [r if r["colour"] != "red" else {**r, "colour": '"red \\"or\\" so"'} for r in holes]
    write("spark_part_00000.csv", text_of(said))
    quoted = changed(tables.flowers(), colour=lambda c: f"'{c}, as seen'", kind=lambda k: f"'{k}'")
    write("java_single_quotes_cr.csv", text_of(quoted, end="\r"))


def like_uci(write):
    flowers, holes, numbers, words = tables.flowers(), tables.flowers_with_holes(), tables.numbers(), tables.words()
    marked = [{k: "?" if v is None else v for k, v in row.items()} for row in holes]
    write("uci_adult.data", text_of(marked, sep=", ", header=False) + "\n")
    dotted = changed(marked, kind=lambda k: k + ".")
    write("uci_adult.test", "|1x3 Cross validator\n" + text_of(dotted, sep=", ", header=False) + "\n")
    spaced = ["%-8s%9s     %-10s %s" % tuple(r) for r in tables.records(marked, ["width", "height", "colour", "kind"])]
    write("uci_columns_of_spaces.data", "\n".join(spaced) + "\n")
    right = ["%9.2f%9.2f  %s" % (r["a"], r["b"], "%8d %6.3f %3d" % (r["c"], r["d"], r["y"])) for r in numbers]
    write("uci_right_aligned.data", "\n".join(right) + "\n")
    write("uci_wine.data", text_of(changed(numbers, y=lambda y: y + 1), columns=list("yabcd"), header=False))
    write("uci_mushroom.data", text_of(words, columns=["class", "cap", "smell", "gill", "place"], header=False))
    write("uci_trailing_comma.data", text_of(flowers, end=",\n", header=False))
    write("uci_trailing_comma_header.csv", text_of(flowers, end=",\n"))
    write("uci_wine_quality.csv", text_of(numbers, sep=";").replace("a;b;c;d;y", '"a";"b";"c";"d";"y"'))
    draw = random.Random(21)
    codes = [{"id": code, **row} for code, row in zip(draw.sample(range(1000000, 1400000), len(numbers)), numbers)]
    write("uci_code_first.data", text_of(codes, header=False))
    write("uci_all_text.data", text_of(words, header=False))
    write("uci_all_text_header.csv", text_of(words))
    write(
        "uci_bits.data", text_of([{**{f"b{k}": int(k in on) for k in range(12)}, "y": y} for on, y in tables.bits()], sep=" ", header=False)
    )
    said = "# 1. Title: Flowers\n# 2. Attributes: width, height, colour, kind\n#\n"
    write("uci_comment_lines.data", said + text_of(flowers, header=False))


def numbers_as_written(write):
    orders, flowers = tables.orders(), tables.flowers()
    order_columns = ["amount", "day", "paid", "outcome"]
    for name, mark, decimal, sep in (("dot_and_comma", ".", ",", ";"), ("space_and_comma", " ", ",", ";"),
                                     ("narrow_space_and_comma", "\u202f", ",", "\t"), ("apostrophe", "'", ".", ";")):
        written = changed(orders, amount=lambda a, m=mark, d=decimal: grouped(a, m, d))
        write(f"thousands_{name}.csv", text_of(written, order_columns, sep=sep))
    quoted = changed(orders, amount=lambda a: '"%s"' % grouped(a, ",", "."))
    write("thousands_comma_quoted.csv", text_of(quoted, order_columns))
    write("thousands_comma_semicolon.csv", text_of(changed(orders, amount=lambda a: grouped(a, ",", ".")), order_columns, sep=";"))
    write("percent_and_currency.csv", text_of(changed(flowers, width=lambda w: f"{w}%", height=lambda h: f"${h}")))
    whole = changed(orders, amount=lambda a: '"%s"' % grouped(a, ",", ".", 0))
    write("thousands_whole_numbers.csv", text_of(whole, order_columns))
    write("decimal_comma_tab.tsv", text_of(changed(flowers, width=comma, height=comma), sep="\t"))
    write("decimal_comma_quoted.csv", text_of(changed(flowers, width=lambda w: f'"{comma(w)}"', height=lambda h: f'"{comma(h)}"')))
    powers = changed(flowers, width=lambda w: f"{w * 1e-6:.3e}", height=lambda h: f"+{h}E+05")
    write("numbers_with_exponents.csv", text_of(powers))


def before_the_header(write):
    flowers = tables.flowers()
    plain = text_of(flowers)
    write("preamble_comments.csv", "# Flowers of the garden, measured 2024\n# width and height in cm\n" + plain)
    write("preamble_title.csv", "Flowers of the garden\nmeasured in June\n\n" + plain)
    write("preamble_title_with_commas.csv", "Flowers of the garden,,,\n,,,\n" + plain)
    write("blank_lines.csv", "\n\n" + plain.replace("\n", "\n\n", 20) + "\n\n")
    write("comments_between.csv", plain.replace("\n", "\n# the plot behind the shed\n", 3))
    write("numeric_header.csv", text_of(flowers).replace("width,height", "2019,2020"))
    write("numeric_header_but_the_label.csv", text_of(tables.numbers()).replace("a,b,c,d,", "2018,2019,2020,2021,", 1))
    write("duplicate_names.csv", text_of(flowers).replace("width,height", "size,size"))
    write("empty_names.csv", text_of(flowers).replace("width,height", ","))
    write("spaces_around.csv", "\n".join("  " + line.replace(",", " ,   ") + " " for line in plain.splitlines()) + "\n")
    write("quoted_spaces_around.csv", "\n".join('"' + line.replace(",", '", "') + '"' for line in plain.splitlines()) + "\n")
    write("no_end_of_line.csv", plain.rstrip("\n"))
    write("mixed_line_ends.csv", "".join(line + ("\r\n" if i % 3 else "\n") for i, line in enumerate(plain.splitlines())))


def columns_and_cells(write):
    flowers, holes, numbers = tables.flowers(), tables.flowers_with_holes(), tables.numbers()
    ids = [{"id": f"{(i * 37) % 90 + 4096:x}-{i:02d}", **row} for i, row in enumerate(flowers)]
    write("id_of_each_row.csv", text_of(ids))
    write("id_in_the_middle.csv", text_of(ids, columns=["width", "id", "height", "colour", "kind"]))
    write(
        "column_of_nothing.csv", text_of([{**r, "remark": None} for r in flowers], columns=["width", "remark", "height", "colour", "kind"])
    )
    write(
        "column_of_one_value.csv",
        text_of([{**r, "garden": "north"} for r in flowers], columns=["garden", "width", "height", "colour", "kind"]),
    )
    marks = ["NA", "N/A", "?", "null", "NULL", "None", "nan", "NaN", "-", "", "#N/A", "\\N", "<NA>"]
    marked = [{**r, "width": marks[i // 6] if i % 6 == 5 and i // 6 < len(marks) else r["width"]} for i, r in enumerate(flowers)]
    write("missing_marks_all.csv", text_of(marked))
    write("missing_marks_own.csv", text_of([{k: -999 if v is None else v for k, v in r.items()} for r in holes]))
    write("missing_from_row_80_on.csv", text_of([{**r, "height": "NA" if i >= 80 else r["height"]} for i, r in enumerate(flowers)]))
    mixed = changed(flowers, colour=lambda c: {"blue": "1", "red": "01", "white": "x"}[c])
    write("category_1_and_01.csv", text_of(mixed))
    write(
        "labels_1_and_01.csv", text_of([{**r, "y": ["1", "1.0", "01", "1"][i % 4] if r["y"] == 0 else "2"} for i, r in enumerate(numbers)])
    )
    write("labels_from_01.csv", text_of(changed(numbers, y=lambda y: f"{y + 1:02d}")))
    write("labels_large.csv", text_of(changed(numbers, y=lambda y: [7, 9007199254740993, -3][y])))
    write("label_with_line_feed.csv", text_of(changed(flowers, kind=lambda k: '"wild\nrose"' if k == "rose" else k)))
    write("label_missing.csv", text_of([{**r, "kind": "NA" if i == 41 else r["kind"]} for i, r in enumerate(flowers)]))
    write("label_blank.csv", text_of([{**r, "kind": ""} for r in flowers]))
    write("labels_yes_no.csv", text_of(changed(numbers, y=lambda y: "yes" if y == 0 else "no")))
    zoned = [{**r, "moment": r["moment"].isoformat(timespec="milliseconds") + "Z"} for r in tables.orders()]
    write("datetimes_t_fraction_z.csv", text_of(zoned, ["amount", "moment", "paid", "outcome"]))
    mixed = [{**r, "moment": r["day"] if i % 3 else r["moment"]} for i, r in enumerate(tables.orders())]
    write("dates_and_datetimes.csv", text_of(mixed, ["amount", "moment", "paid", "outcome"]))
    write("two_columns.csv", text_of([{"a": r["a"], "y": "high" if r["a"] > 2.5 else "low"} for r in numbers]))
    write(
        "two_columns_no_header.txt",
        text_of([{"a": r["a"], "y": "high" if r["a"] > 2.5 else "low"} for r in numbers], sep="\t", header=False),
    )
    short = [{**r, "start": r["start"].strftime("%H:%M")} for r in tables.shifts()]
    write("times_of_minutes.csv", text_of(short))
    compact = [{**r, "day": r["day"].strftime("%d.%m.%Y")} for r in tables.orders()]
    write("dates_of_days_first.csv", text_of(compact, ["amount", "day", "paid", "outcome"]))


def damaged(write, raw):
    lines = text_of(tables.flowers()).splitlines()

    def broken(name, number, line):
        write(name, "\n".join(lines[: number - 1] + [line] + lines[number:]) + "\n")

    broken("damaged_too_few_cells.csv", 34, "1.25,0.80,blue")
    broken("damaged_too_many_cells.csv", 57, "1.25,0.80,blue,rose,rose")
    broken("damaged_too_many_cells_skip.csv", 57, "1.25,0.80,blue,rose,rose")
    broken("damaged_open_quote.csv", 61, '1.25,0.80,"blue,tulip')
    broken("damaged_after_quote.csv", 23, '1.25,0.80,"blue"sky,tulip')
    broken("damaged_zero_byte.csv", 12, "1.25,0.8\0,blue,tulip")
    broken("damaged_word_among_numbers.csv", 72, "1.25,tall,blue,tulip")
    raw("damaged_latin1.csv", "\n".join(lines[:44] + ["1.25,0.80,gr\xfcn,tulip"] + lines[45:]).encode("latin-1") + b"\n")
    utf16 = ("\ufeff" + "\r\n".join(line.replace(",", "\t") for line in lines) + "\r\n").encode("utf-16-le")
    raw("damaged_utf16_half_a_character.txt", utf16[: len(utf16) // 2 + 1])
    raw("damaged_utf16_no_mark.txt", utf16[2:])
    raw("damaged_cut.csv.xz", lzma.compress("\n".join(lines).encode())[:-40])
    write("damaged_header_only.csv", lines[0] + "\n")
    write("damaged_empty.csv", "")
    write("damaged_svmlight.svm", "1 0:1 3:1\n-1 2:1\n1 4:x 5:1\n")


def of_other_programs(folder):
    path = folder / "sqlite_table.db"
    path.unlink(missing_ok=True)
    with sqlite3.connect(path) as link:
        link.execute("CREATE TABLE flowers (width REAL, height REAL, colour TEXT, kind TEXT)")
        link.executemany("INSERT INTO flowers VALUES (?, ?, ?, ?)", tables.records(tables.flowers())[:20])
    link.close()


def make(folder):
    def write(name, text, encoding="utf-8"):
        (folder / name).write_bytes(text.encode(encoding))

    def raw(name, data):
        (folder / name).write_bytes(data)

    for part in (like_excel, like_spark_java_and_javascript, like_uci, numbers_as_written, before_the_header, columns_and_cells):
        part(write)
    damaged(write, raw)
    of_other_programs(folder)
