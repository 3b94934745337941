"""What the clients of SQLite, PostgreSQL and MariaDB print and export.

PostgreSQL and MariaDB run over an empty folder of their own, without a network, and are gone afterwards. A server
refuses to run as root: the folder belongs to the account `postgres` or `mysql`, which its Debian package makes.
"""

import pathlib
import shutil
import subprocess
import tempfile
import time

import tables
from tools import ROOT, Scratch, run

COLUMNS = {"flowers": "width double precision, height double precision, colour varchar(40), kind varchar(40)",
           "orders": "amount double precision, day date, moment timestamp, paid boolean, outcome varchar(40)"}


def table_rows():
    return {"flowers": tables.flowers(), "holes": tables.flowers_with_holes(), "orders": tables.orders()}


def literal(value):
    return "NULL" if value is None else f"'{value}'" if not isinstance(value, (bool, int, float)) else str(value)


def statements():
    for name, rows in table_rows().items():
        yield f"CREATE TABLE {name} ({COLUMNS['orders' if name == 'orders' else 'flowers']});"
        for record in tables.records(rows):
            yield f"INSERT INTO {name} VALUES ({', '.join(map(literal, record))});"


def by_sqlite(folder):
    def export(name, query, *options):
        printed = subprocess.run(["sqlite3", *options, database, query], stdout=subprocess.PIPE, check=True).stdout
        (folder / name).write_bytes(printed)

    with tempfile.TemporaryDirectory() as scratch:
        database = f"{scratch}/tables.db"
        subprocess.run(["sqlite3", database], input="\n".join(statements()), text=True, check=True)
        export("sqlite_csv.csv", "SELECT * FROM flowers", "-csv", "-header")
        export("sqlite_csv_missing.csv", "SELECT * FROM holes", "-csv", "-header", "-nullvalue", "NULL")
        export("sqlite_list.txt", "SELECT * FROM flowers", "-list", "-header")
        export("sqlite_list_no_header.txt", "SELECT * FROM holes", "-list")
        export("sqlite_tabs.txt", "SELECT * FROM flowers", "-tabs")
        export("sqlite_quote.txt", "SELECT * FROM holes", "-quote", "-header")
        export("sqlite_column.txt", "SELECT * FROM flowers", "-column", "-header")
        export("sqlite_orders.csv", "SELECT amount, day, paid, outcome FROM orders", "-csv", "-header")


def by_postgresql(folder):
    programs = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))[-1]
    home = pathlib.Path(tempfile.mkdtemp(prefix="messy-pg-"))
    shutil.chown(home, "postgres")

    def as_postgres(*command, **keywords):
        return subprocess.run(["runuser", "-u", "postgres", "--", *map(str, command)], check=True, cwd=home, **keywords)

    def psql(name, query, *options):
        printed = as_postgres("psql", "-X", "-h", home, "-d", "postgres", *options, "-c", query, stdout=subprocess.PIPE).stdout
        if name:
            (folder / name).write_bytes(printed)

    quiet = {"stdout": subprocess.DEVNULL}
    as_postgres(programs / "initdb", "-D", home / "data", "-E", "UTF8", "--locale=C.UTF-8", **quiet)
    as_postgres(
        programs / "pg_ctl", "-D", home / "data", "-o", f"-k {home} -c listen_addresses=''", "-w", "-l", home / "log", "start", **quiet
    )
    try:
        psql(None, "\n".join(statements()).replace("double precision", "float8"))
        psql("psql_aligned.txt", "SELECT * FROM flowers")
        psql("psql_aligned_missing.txt", "SELECT * FROM holes")
        psql("psql_unaligned.txt", "SELECT * FROM flowers", "-A")
        psql("psql_unaligned_tuples_only.txt", "SELECT * FROM flowers", "-A", "-t")
        psql("psql_csv.csv", "SELECT amount, moment, paid, outcome FROM orders", "--csv")
        psql("postgresql_copy_csv.csv", "COPY holes TO STDOUT WITH (FORMAT csv, HEADER, FORCE_QUOTE *)")
        psql("postgresql_copy_text.tsv", "COPY holes TO STDOUT")
        psql(
            "postgresql_copy_header_pipe.txt",
            "COPY (SELECT day, amount, paid, outcome FROM orders) TO STDOUT WITH (FORMAT csv, HEADER, DELIMITER '|')",
        )
    finally:
        as_postgres(programs / "pg_ctl", "-D", home / "data", "-w", "stop", **quiet)
        shutil.rmtree(home)


def by_mariadb(folder):
    said = "SELECT width, height, CASE colour WHEN 'red' THEN 'red\\tand \\\\ dark' ELSE colour END AS colour, kind FROM holes"
    with Scratch() as scratch:
        at = scratch.inside
        (scratch.outside / "out").mkdir()
        (scratch.outside / "out").chmod(0o777)
        run(["mariadb-install-db", "--no-defaults", "--user=mysql", f"--datadir={at}/data", "--auth-root-authentication-method=normal"])
        server = subprocess.Popen([*(["chroot", ROOT] if ROOT else []), "mariadbd", "--no-defaults", "--user=mysql", f"--datadir={at}/data",
                                   f"--socket={at}/socket", "--skip-networking", f"--secure-file-priv={at}/out", f"--pid-file={at}/pid"],
                                  stderr=subprocess.DEVNULL)
        client = ["mariadb", "--no-defaults", "-u", "root", f"--socket={at}/socket", "--default-character-set=utf8mb4"]
        try:
            while not (scratch.outside / "socket").exists():
                time.sleep(0.2)
            run(client, "CREATE DATABASE messy; USE messy;\n" + "\n".join(statements()))
            for name, query, *options in (
                ("mariadb_batch.tsv", "SELECT * FROM holes", "--batch"),
                ("mariadb_batch_no_names.tsv", "SELECT * FROM flowers", "--batch", "--skip-column-names"),
                ("mariadb_batch_escaped.tsv", said, "--batch"),
                ("mariadb_orders.tsv", "SELECT amount, moment, paid, outcome FROM orders", "--batch"),
            ):
                (folder / name).write_bytes(run([*client, "messy", *options, "-e", query]))
            for name, how in (("mariadb_outfile.tsv", ""),
                              ("mariadb_outfile_quoted.csv", "FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '\"'")):
                run(client, f"USE messy; {said} INTO OUTFILE '{at}/out/{name}' {how};\n")
                (folder / name).write_bytes((scratch.outside / "out" / name).read_bytes())
        finally:
            server.terminate()
            server.wait()


def make(folder):
    by_sqlite(folder)
    by_postgresql(folder)
    by_mariadb(folder)
