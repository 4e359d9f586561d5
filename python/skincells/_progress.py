"""Progress of long calls, and how they are stopped."""

from __future__ import annotations

import math
import signal
import sys
import threading
import time
from ctypes import byref
from dataclasses import dataclass
from typing import Any, Callable, Optional, Union

from . import _library as lib


_STOP, _DISCARD = 1, 2  # what the callback of C may return


@dataclass(frozen=True)
class Progress:
    """How far the work is.

    >>> import skincells as sc
    >>> seen = []
    >>> result = sc.bind(sc.Character.load("character.glb"), quality="draft", progress=seen.append)
    >>> seen[0].stage, seen[-1].stage, seen[-1].fraction
    ('weld', 'done', 1.0)
    """

    stage: str
    fraction: float  #: share of the whole work, 0 .. 1
    loss: Optional[float]
    seconds_left: Optional[float]


#: A function that is called with a Progress and returns False to stop; or True for a bar on stderr.
ProgressLike = Union[None, bool, Callable[[Progress], Any]]


def _clock(seconds: Optional[float]) -> str:
    return "?" if seconds is None else f"{int(seconds) // 60:02d}:{int(seconds) % 60:02d}"


class Bar:
    """A bar on stderr, with the time that has passed and the time that is left."""

    width = 30

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._drawn = False

    def __call__(self, progress: Progress) -> None:
        filled = int(progress.fraction * self.width)
        left = 0.0 if progress.fraction >= 1 else progress.seconds_left
        line = (f"\r{100 * progress.fraction:3.0f}% |{'#' * filled:{self.width}}| "
                f"{_clock(time.monotonic() - self._start)}<{_clock(left)} {progress.stage}")
        sys.stderr.write(f"{line:79.79}")
        sys.stderr.flush()
        self._drawn = True

    def close(self) -> None:
        """Ends the line, however the work ended."""
        if self._drawn:
            sys.stderr.write("\n")


class Control:
    """Passes progress on, and what the callback raises. Ctrl+C stops the work and raises KeyboardInterrupt."""

    def __init__(self, progress: ProgressLike = None, threads: int = 0) -> None:
        self._callback = Bar() if progress is True else None if progress is False else progress
        if self._callback is not None and not callable(self._callback):
            raise lib.Error("invalid_argument", "it must be a function, or True for a bar", "progress")
        self._raised: Optional[BaseException] = None
        self._function = lib.ProgressFunction(self._on_progress)  # lives as long as the call
        self._struct = lib.Control(progress=self._function, user=None,
                                   threads=lib.count_of(threads, "invalid_argument", "threads"))

    def _on_progress(self, _user: Any, info: Any) -> int:
        try:
            if self._raised is None and self._callback is not None:
                state = info.contents
                known = [None if math.isnan(x) else x for x in (state.loss, state.seconds_left)]
                if self._callback(Progress(lib.text(state.stage), state.fraction, *known)) is False:
                    return _STOP
        except BaseException as error:  # pylint: disable=broad-except
            self._raised = error
        return _DISCARD if self._raised is not None else 0

    def _interrupt(self, _signal: int, _frame: Any) -> None:
        self._raised = self._raised or KeyboardInterrupt()

    def made(self, name: str, *arguments: Any) -> lib.Handle:
        """Calls a function with this control before its output; then raises what the callback raised."""
        # An exception in a callback of C, outside of its own try, would be lost: the handler only takes a note, which
        # the next callback sees.
        mine = (threading.current_thread() is threading.main_thread()
                and signal.getsignal(signal.SIGINT) is signal.default_int_handler)
        if mine:
            signal.signal(signal.SIGINT, self._interrupt)
        handle = None
        try:
            handle = lib.made(name, *arguments, byref(self._struct))
        except lib.Error:
            if self._raised is None:
                raise
        finally:
            if mine:
                signal.signal(signal.SIGINT, signal.default_int_handler)
            if isinstance(self._callback, Bar):
                self._callback.close()
        if self._raised is not None:
            raise self._raised
        assert handle is not None
        return handle
