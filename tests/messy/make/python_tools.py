"""What pandas, Polars, scikit-learn, NumPy, PyArrow, h5py and DuckDB write.

    python3 -m venv v && v/bin/pip install pandas polars scikit-learn numpy pyarrow h5py duckdb openpyxl
"""

import csv

import duckdb
import h5py
import numpy as np
import pandas as pd
import polars as pl
import tables
from sklearn.datasets import dump_svmlight_file


def frame(rows):
    return pd.DataFrame(rows)


def by_pandas(folder):
    flowers, holes = frame(tables.flowers()), frame(tables.flowers_with_holes())
    orders, shifts, numbers = frame(tables.orders()), frame(tables.shifts()), frame(tables.numbers())

    def write(name, table, **options):
        table.to_csv(folder / name, **{"index": False, **options})

    write("pandas_plain.csv", flowers)
    write("pandas_index.csv", flowers, index=True)
    pd.read_csv(folder / "pandas_index.csv").to_csv(folder / "pandas_unnamed_0.csv", index=False)
    write("pandas_text_index.csv", flowers.set_axis([f"plot-{i * 7 % 90:02d}" for i in range(90)]), index=True)
    write("pandas_named_index.csv", flowers.rename_axis("id"), index=True)
    write("pandas_decimal_comma.csv", flowers, sep=";", decimal=",")
    write("pandas_empty_cells.csv", holes)
    write("pandas_na_rep.csv", holes, na_rep="NA")
    write("pandas_nan.csv", holes, na_rep="nan", sep="\t")
    write("pandas_nullable.csv", holes.convert_dtypes(), na_rep="<NA>")
    write("pandas_none.csv", holes.astype(object), na_rep="None")
    write("pandas_quote_all.csv", flowers, quoting=csv.QUOTE_ALL)
    write("pandas_quote_text.csv", flowers, quoting=csv.QUOTE_NONNUMERIC)
    write("pandas_numbered_header.csv", flowers, header=["0", "1", "2", "3"])
    write("pandas_no_header.csv", flowers, header=False)
    write("pandas_crlf.tsv", flowers, sep="\t", lineterminator="\r\n")
    write("pandas_utf16.csv", flowers, encoding="utf-16")
    write("pandas_utf8_mark.csv", flowers, encoding="utf-8-sig")
    german = flowers.replace({"colour": {"blue": "blau", "red": "grün", "white": "weiß"}})
    write("pandas_utf8_words.csv", german, encoding="utf-8")
    write("pandas_latin1.csv", german, encoding="latin-1")
    said = flowers.replace({"colour": {"blue": 'deep "sea" blue', "red": "red, dark"}})
    write("pandas_doubled_quotes.csv", said)
    write("pandas_backslash.csv", said, doublequote=False, escapechar="\\")
    write("pandas_gzip.csv.gz", flowers, compression={"method": "gzip", "mtime": 1})
    write("pandas_xz.csv.xz", flowers, compression="xz")
    write("pandas_label_in_the_middle.csv", flowers[["width", "kind", "height", "colour"]])
    write("pandas_dates.csv", orders[["amount", "day", "paid", "outcome"]])
    write("pandas_datetimes.csv", orders[["amount", "moment", "paid", "outcome"]])
    zoned = orders.assign(moment=orders["moment"].dt.tz_localize("Europe/Berlin"))
    write("pandas_datetimes_zone.csv", zoned[["amount", "moment", "paid", "outcome"]])
    missing = orders.assign(day=pd.to_datetime(orders["day"]).where(orders.index % 11 != 3))
    write("pandas_missing_dates.csv", missing[["amount", "day", "paid", "outcome"]])
    write("pandas_times.csv", shifts)
    write("pandas_float_labels.csv", numbers.assign(y=numbers["y"] + 0.5))
    write("pandas_boolean_labels.csv", numbers.assign(y=numbers["y"] == 0))
    coded = flowers.assign(colour=flowers["colour"].map({"blue": 2, "red": 1, "white": 3}))
    write("pandas_coded_category.csv", coded)
    written = orders.assign(amount=orders["amount"].map("{:,.2f}".format))
    write("pandas_thousands.csv", written[["amount", "day", "paid", "outcome"]])
    array = pd.DataFrame(numbers.to_numpy())  # its columns are called 0 to 4
    write("pandas_of_an_array.csv", array)
    write("pandas_of_an_array_index.csv", array, index=True)
    (folder / "pandas_to_string.txt").write_text(flowers.to_string() + "\n")
    flowers.to_parquet(folder / "pandas_table.parquet")
    flowers.to_feather(folder / "pandas_table.feather")
    flowers.to_orc(folder / "pandas_table.orc")
    flowers.to_excel(folder / "pandas_table.xlsx", index=False)
    with h5py.File(folder / "h5py_table.h5", "w") as file:
        file["X"], file["y"] = numbers[["a", "b", "c", "d"]].to_numpy(), numbers["y"].to_numpy()


def by_polars(folder):
    flowers, holes, orders = (pl.DataFrame(t) for t in (tables.flowers(), tables.flowers_with_holes(), tables.orders()))
    flowers.write_csv(folder / "polars_plain.csv")
    holes.write_csv(folder / "polars_null_value.csv", null_value="NULL", separator=";")
    flowers.write_csv(folder / "polars_always_quoted.csv", quote_style="always", separator="|")
    orders.select("amount", "moment", "paid", "outcome").write_csv(folder / "polars_datetimes.csv")
    orders.select("day", "paid", "amount", "outcome").write_csv(folder / "polars_dates_tab.tsv", separator="\t")
    flowers.write_csv(folder / "polars_decimal_comma.csv", decimal_comma=True, separator=";")
    flowers.write_csv(folder / "polars_no_header.csv", include_header=False, float_precision=4)


def by_numpy(folder):
    rows = tables.numbers()
    X = np.array(tables.records(rows, "abcd"))
    y = np.array([r["y"] for r in rows])
    np.savez(folder / "numpy_plain.npz", X=X, y=y)
    holes = X.copy()
    holes[[3, 17, 44, 80], [0, 1, 2, 0]] = np.nan
    np.savez_compressed(folder / "numpy_nan.npz", X=holes, y=y)
    np.savez_compressed(folder / "numpy_boolean_labels.npz", X=X.astype(np.float32), y=y == 0)
    np.savez_compressed(folder / "numpy_float_labels.npz", X=np.asfortranarray(X), y=y.astype(float))
    np.savez_compressed(folder / "numpy_text_labels.npz", X=X, y=np.array(["zero", "one", "twö"])[y])
    np.savez_compressed(folder / "numpy_nan_labels.npz", X=X, y=np.where(np.arange(len(y)) == 41, np.nan, y))
    np.savez_compressed(folder / "numpy_large_labels.npz", X=X, y=np.array([7, 2**53 + 1, -3])[y])
    np.save(folder / "numpy_label_in_the_last_column.npy", np.column_stack([X, y]))
    np.savetxt(folder / "numpy_savetxt.txt", np.column_stack([X, y]))
    np.savetxt(folder / "numpy_savetxt_header.csv", np.column_stack([X, y]), delimiter=",", fmt="%.3f", header="a,b,c,d,y")


def by_scikit_learn(folder):
    rows = tables.bits()
    X = np.array([[k in on for k in range(12)] for on, _ in rows], dtype=float)
    y = np.array([label for _, label in rows])
    dump_svmlight_file(X, y, str(folder / "sklearn_from_0.svm"), zero_based=True)
    dump_svmlight_file(X, y, str(folder / "sklearn_from_1.svm"), zero_based=False)
    dump_svmlight_file(X, y, str(folder / "sklearn_qid.svmlight"), zero_based=True, query_id=np.arange(len(y)) // 10)
    dump_svmlight_file(X, y, str(folder / "sklearn_comment.libsvm"), zero_based=False, comment="sparse rows\nfrom one")
    dump_svmlight_file(X * 0.5, np.where(y > 0, "1", "0").astype(int), str(folder / "sklearn_values.txt"), zero_based=True)
    # Nobody has feature 0 here: only --first-index can say that it is there.
    dump_svmlight_file(X * (np.arange(12) != 0), y, str(folder / "sklearn_without_0.svm"), zero_based=True)


def by_duckdb(folder):
    flowers, holes, orders = (frame(t) for t in (tables.flowers(), tables.flowers_with_holes(), tables.orders()))
    link = duckdb.connect()
    for name, table in (("flowers", flowers), ("holes", holes), ("orders", orders)):
        link.register(name, table)

    def copy(query, name, options):
        link.execute(f"COPY ({query}) TO '{folder / name}' ({options})")

    copy("SELECT * FROM flowers", "duckdb_plain.csv", "HEADER")
    copy("SELECT * FROM holes", "duckdb_null.csv", "HEADER, NULLSTR '\\N', DELIMITER '|'")
    copy("SELECT amount, moment, paid, outcome FROM orders", "duckdb_timestamps.csv", "HEADER, FORCE_QUOTE *")
    copy("SELECT * FROM flowers", "duckdb_no_header.tsv", "HEADER false, DELIMITER '\\t'")


def make(folder):
    for tool in (by_pandas, by_polars, by_numpy, by_scikit_learn, by_duckdb):
        tool(folder)
