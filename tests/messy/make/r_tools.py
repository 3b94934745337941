"""What R's write.csv, write.csv2 and write.table write; R gets the tables as CSV and calls the line given here."""

import csv

import tables
from tools import Scratch, run

LINES = {
    "r_write_csv.csv": "write.csv(flowers, file)",
    "r_write_csv_no_row_names.csv": "write.csv(flowers, file, row.names = FALSE)",
    "r_write_csv2.csv": "write.csv2(flowers, file)",
    "r_write_csv2_no_row_names.csv": "write.csv2(holes, file, row.names = FALSE)",
    "r_write_table.txt": "write.table(flowers, file)",
    "r_write_table_tab.txt": 'write.table(flowers, file, sep = "\\t", quote = FALSE)',
    "r_write_table_missing.txt": "write.table(holes, file, quote = FALSE)",
    "r_write_table_no_names.txt": 'write.table(flowers, file, sep = ",", col.names = FALSE, row.names = FALSE)',
    "r_row_names_of_text.csv": 'row.names(flowers) <- paste("Plot", 90:1, "north"); write.csv(flowers, file)',
    "r_missing.csv": "write.csv(holes, file, row.names = FALSE)",
    "r_logical.csv": "write.csv(orders[c('amount', 'paid', 'day', 'outcome')], file, row.names = FALSE)",
    "r_logical_missing.csv": "orders$paid[c(5, 50)] <- NA; write.csv(orders[c('amount', 'paid', 'day', 'outcome')], file)",
    "r_times.csv": "write.csv(orders[c('amount', 'paid', 'moment', 'outcome')], file, row.names = FALSE, quote = FALSE)",
    "r_escape.txt": "flowers$colour[flowers$colour == 'red'] <- 'red \"dark\"'; write.table(flowers, file, row.names = FALSE)",
    "r_double.csv": "flowers$colour[flowers$colour == 'red'] <- 'red \"dark\"'; write.csv(flowers, file, row.names = FALSE)",
    "r_factor_codes.csv": "flowers$kind <- as.integer(factor(flowers$kind)); write.csv(flowers, file, row.names = FALSE)",
}


def make(folder):
    with Scratch() as scratch:
        for name in ("flowers", "flowers_with_holes", "orders"):
            rows = getattr(tables, name)()
            with open(scratch.outside / f"{name}.csv", "w", newline="") as file:
                writer = csv.writer(file)
                writer.writerow(rows[0])
                writer.writerows(["NA" if v is None else v for v in record] for record in tables.records(rows))
        read = f"""
            setwd("{scratch.inside}")
            flowers <- read.csv("flowers.csv")
            holes <- read.csv("flowers_with_holes.csv")
            orders <- read.csv("orders.csv")
            orders$paid <- as.logical(orders$paid)
            orders$day <- as.Date(orders$day)
            orders$moment <- as.POSIXct(orders$moment, tz = "UTC")
        """
        for name, line in LINES.items():
            run(["Rscript", "-e", f'{read}\nfile <- "written"\n{line}'])
            (folder / name).write_bytes((scratch.outside / "written").read_bytes())
