from falsum import _core
