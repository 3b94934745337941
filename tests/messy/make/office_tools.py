"""What LibreOffice Calc saves as text, in place of Excel: workbooks made by openpyxl, converted without a screen.

The filter takes: separator, quote, character set (76 is UTF-8, 65535 UTF-16), first line, column formats, language
(1033 English, 1031 German), quote all text, save cells as shown.
"""

import openpyxl
import tables
from tools import Scratch, run

UTF8, UTF16, COMMA, SEMICOLON, TAB = 76, 65535, 44, 59, 9


def filter_options(separator, charset=UTF8, language=1033, quote_all="false", as_shown="true"):
    return f'csv:Text - txt - csv (StarCalc):{separator},34,{charset},1,,{language},{quote_all},{as_shown}'


def workbook(path, rows, columns, formats=()):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(columns)
    for record in tables.records(rows, columns):
        sheet.append(record)
    for letter, number_format in formats:
        for cell in sheet[letter][1:]:
            cell.number_format = number_format
    book.save(path)


def make(folder):
    flowers, holes, orders = tables.flowers(), tables.flowers_with_holes(), tables.orders()
    names = list(flowers[0])
    order_names = ["amount", "day", "paid", "outcome"]
    dated = (("A", "#,##0.00"), ("B", "YYYY-MM-DD"))
    broken = [{k: "=NA()" if v is None and k != "colour" else v for k, v in row.items()} for row in holes]
    books = {
        "calc_plain.csv": (flowers, names, (), filter_options(COMMA)),
        "calc_quoted_text.csv": (holes, names, (), filter_options(SEMICOLON, quote_all="true")),
        "calc_utf16_tab.csv": (flowers, names, (), filter_options(TAB, UTF16)),
        "calc_german.csv": (flowers, names, (("A", "[$-407]0.00"), ("B", "[$-407]0.00")), filter_options(SEMICOLON, language=1031)),
        "calc_german_comma.csv": (flowers, names, (("A", "[$-407]0.00"), ("B", "[$-407]0.00")), filter_options(COMMA, language=1031)),
        "calc_as_shown.csv": (orders, order_names, dated, filter_options(COMMA)),
        "calc_moments.csv": (orders, ["moment", "amount", "paid", "outcome"], (("A", 'YYYY-MM-DD"T"HH:MM:SS'),), filter_options(TAB)),
        "calc_not_available.csv": (broken, names, (), filter_options(COMMA)),
    }
    with Scratch() as scratch:
        for name, (rows, columns, formats, options) in books.items():
            workbook(scratch.outside / name.replace(".csv", ".xlsx"), rows, columns, formats)
            run(["soffice", "--headless", f"-env:UserInstallation=file://{scratch.inside}/profile", "--convert-to", options,
                 "--outdir", scratch.inside, scratch.inside / name.replace(".csv", ".xlsx")])
            (folder / name).write_bytes((scratch.outside / name).read_bytes())
