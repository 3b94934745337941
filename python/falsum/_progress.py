"""What ``verbose`` shows: a bar over all epochs, in a terminal or a notebook."""

from __future__ import annotations

from types import TracebackType
from typing import Any


class Progress:
    """A bar that moves with the samples and shows the latest accuracy; nothing if it is switched off."""

    def __init__(self, epochs: int, wanted: bool) -> None:
        self._bar: Any = None
        self._done = 0.0
        if wanted:
            from tqdm.auto import tqdm

            self._bar = tqdm(total=epochs, unit="epoch", bar_format="{l_bar}{bar}| {n:.1f}/{total} epochs [{elapsed}<{remaining}{postfix}]")

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.close()

    @property
    def wanted(self) -> bool:
        return self._bar is not None

    def move_to(self, epochs: float) -> None:
        if self._bar is not None:
            self._bar.update(epochs - self._done)
            self._done = epochs

    def tell(self, **numbers: str) -> None:
        if self._bar is not None:
            self._bar.set_postfix(**numbers)
