"""libfalsum.so by ctypes, as a binding would load it. Types of arguments are read off the header, so that it is the header that is tested.
Functions whose status is not FALSUM_OK raise Refused; those that make something return it."""

import ctypes
import os
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADER = (ROOT / "include" / "falsum" / "c_api.h").read_text(encoding="utf-8")
COMMAND = pathlib.Path(os.path.abspath(os.environ.get("FALSUM_COMMAND", ROOT / "build" / "release" / "falsum")))
LIBRARY = COMMAND.parent / "libfalsum.so"

OK, ARGUMENT, DATA, FILE = range(4)
Progress = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_double)
TYPES = {"int": ctypes.c_int, "size_t": ctypes.c_size_t, "uint32_t": ctypes.c_uint32, "uint64_t": ctypes.c_uint64, "void": None,
         "const char*": ctypes.c_char_p, "falsum_progress": Progress}


class Refused(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


class Weight(ctypes.Structure):
    _fields_ = [("clause", ctypes.c_uint32), ("votes", ctypes.c_int32)]


def declarations():
    """(name, result, [type of each argument]) of every function of the header."""
    for result, name, arguments in re.findall(r"^FALSUM_API ([^;()]*?) ?(falsum_\w+)\(([^;]*?)\);", HEADER, re.MULTILINE):
        types = [re.sub(r" \w+$", "", " ".join(argument.split())) for argument in arguments.split(",") if argument != "void"]
        yield name, result, types


def load():
    library = ctypes.CDLL(str(LIBRARY))
    for name, result, types in declarations():
        function = getattr(library, name)
        function.restype = TYPES.get(result, ctypes.c_void_p)
        function.argtypes = [TYPES.get(kind, ctypes.c_void_p) for kind in types]
    return library


lib = load()


def check(status):
    if status != OK:
        raise Refused(status, lib.falsum_last_error().decode())


def make(function, *arguments):
    """The handle that falsum_<function> makes, its last argument."""
    out = ctypes.c_void_p(1)
    try:
        check(getattr(lib, "falsum_" + function)(*arguments, ctypes.byref(out)))
    except Refused:
        assert out.value is None
        raise
    return out


def text(function, *arguments):
    out = make(function, *arguments)
    try:
        return ctypes.string_at(out).decode()
    finally:
        lib.falsum_free(out)


def texts(function, *arguments):
    out = make(function, *arguments)
    try:
        return [lib.falsum_texts_at(out, i).decode() for i in range(lib.falsum_texts_count(out))]
    finally:
        lib.falsum_texts_free(out)


def array(kind, function, *arguments):
    """The elements of an array that falsum_<function> makes; its last two arguments are the array and its size."""
    size = ctypes.c_size_t()
    out = ctypes.c_void_p()
    check(getattr(lib, "falsum_" + function)(*arguments, ctypes.byref(out), ctypes.byref(size)))
    try:
        return list((kind * size.value).from_buffer_copy(ctypes.string_at(out, size.value * ctypes.sizeof(kind))))
    finally:
        lib.falsum_free(out)


def model_bytes(model):
    return bytes(array(ctypes.c_uint8, "model_to_bytes", model))


def options(**values):
    made = make("options_new")
    for name, value in values.items():
        check(lib.falsum_options_set(made, name.encode(), str(value).encode()))
    return made


def votes(predictor, rows, threads=1):
    size = lib.falsum_rows_count(rows) * lib.falsum_predictor_outputs(predictor)
    out = (ctypes.c_int32 * size)()
    check(lib.falsum_predictor_votes(predictor, rows, threads, out, size))
    return list(out)
