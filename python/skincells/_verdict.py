"""How good weights are, and why."""

from __future__ import annotations

from ctypes import byref
from dataclasses import dataclass
from typing import Any, List, Optional

from . import _library as lib

_GRADES = ("good", "look at it", "bad")


@dataclass(frozen=True)
class Finding:
    """A measure that was judged; larger is worse.

    >>> import skincells as sc
    >>> worst = sc.bind(sc.Character.load("character.glb"), quality="draft").verdict.findings[0]
    >>> worst.grade == "good" or (worst.value > worst.good and worst.advice != "")
    True
    """

    name: str
    grade: str  #: "good", "look at it" or "bad"
    label: str  #: for people, with the unit
    value: float
    good: float  #: good up to this
    bad: float  #: bad beyond this
    where: str  #: where it is worst; may be empty
    advice: str  #: what to do if it is not good


@dataclass(frozen=True)
class Verdict:
    """The verdict on how a skin deforms.

    >>> import skincells as sc
    >>> verdict = sc.bind(sc.Character.load("character.glb"), quality="draft").verdict
    >>> verdict.grade in ("good", "look at it", "bad"), verdict.findings[0].grade == verdict.grade
    (True, True)
    """

    grade: str  #: "good", "look at it" or "bad": that of the worst finding
    poses: str  #: what was measured
    findings: List[Finding]  #: worst first

    def __str__(self) -> str:
        reasons = [f"{f.label}: {f.value:.3g}" + (f" at {f.where}" if f.where else "") for f in self.findings
                   if f.grade != "good"]
        return "; ".join([self.grade, *reasons])


def judged(character: lib.Handle, gate: Optional[Any] = None) -> Verdict:
    """The verdict on the weights of a character. gate: a file with other thresholds."""
    handle = lib.made("judge", character.value, None if gate is None else lib.encoded(gate, "gate"))
    view = lib.VerdictView()
    lib.call("verdict_get", handle.value, byref(view))
    findings = []
    for i in range(view.finding_count):
        f = lib.FindingView()
        lib.call("verdict_finding", handle.value, i, byref(f))
        findings.append(Finding(lib.text(f.name), _GRADES[f.grade], lib.text(f.label), f.value, f.good, f.bad,
                                lib.text(f.where), lib.text(f.advice)))
    return Verdict(_GRADES[view.grade], lib.text(view.poses), findings)
