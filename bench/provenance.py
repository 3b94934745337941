"""Which source a figure was measured with."""

import subprocess


def commit(root):
    """The last commit that changed the library, and whether it was changed since."""
    command = ["git", "log", "-1", "--format=%h", "--abbrev=10", "--", "src", "include"]
    try:
        name = subprocess.run(command, capture_output=True, text=True, cwd=root).stdout.splitlines()[0]
        changed = subprocess.run(["git", "diff", "--quiet", "HEAD", *command[-3:]], cwd=root, capture_output=True)
    except (OSError, IndexError):
        return "unknown"
    return name + (" with changes" if changed.returncode == 1 else "")
