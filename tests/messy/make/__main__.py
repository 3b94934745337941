"""Writes the files of tests/messy/files anew: python3 tests/messy/make [python] [r] [office] [sql] [weka] [hand]

Not run by any test: the files are in the repository, and manifest.json says which tool and version made each. Tools of
other Debians live in a folder of their own: with MESSY_ROOT=FOLDER (a debootstrap of Debian 12 with r-base-core,
libreoffice-calc-nogui and mariadb-server, and with /proc mounted), R, LibreOffice and MariaDB are run by `chroot FOLDER`.
WEKA_JAR names the weka.jar of Debian's package weka. Workbooks hold the time they were made; all else comes out the same.
"""

import importlib
import pathlib
import sys

PARTS = {"python": "python_tools", "r": "r_tools", "office": "office_tools", "sql": "sql_tools", "weka": "weka_tools",
         "hand": "hand_made"}

folder = pathlib.Path(__file__).resolve().parents[1] / "files"
folder.mkdir(exist_ok=True)
for part in sys.argv[1:] or PARTS:
    importlib.import_module(PARTS[part]).make(folder)
