"""Which source a figure was measured with."""

import subprocess


def commit(root):
    """The commit, and whether the library was changed since."""
    try:
        run = subprocess.run(["git", "rev-parse", "--short=10", "HEAD"], capture_output=True, text=True, cwd=root)
        name = run.stdout.splitlines()[0]
        changed = subprocess.run(["git", "diff", "--quiet", "HEAD", "--", "src", "include"], cwd=root, capture_output=True)
    except (OSError, IndexError):
        return "unknown"
    return name + (" with changes" if changed.returncode == 1 else "")
