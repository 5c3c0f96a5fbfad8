"""A policy of an own house: runs everything in bash, warns of tables that are dropped, refuses what its settings name."""

import json

from componentize_py_types import Err
from wit_world import exports
from wit_world.exports.policy import (
    Description,
    Ending,
    Rejection_EmptyCommand,
    Rejection_NoShell,
    Rejection_NulCharacter,
    Request,
    ReviewResult,
    Rule,
    Verdict_Proceed,
    Verdict_Refuse,
)
from wit_world.imports.types import (
    Classification,
    Dialect,
    Finding,
    Invocation,
    Severity,
    Span,
    Status,
)

RULE = Rule(
    id="house.drop-table",
    title="A table is dropped",
    severity=Severity.DANGER,
    example="psql -c 'DROP TABLE users'",
    dialect=Dialect.BASH,
    counter_example="psql -c 'SELECT 1'",
)

# Texts that are refused; a fresh instance answers each question, so this is set anew each time.
refused: list[str] = []


def lower(text: str) -> str:
    """ASCII letters only, so that places in the text stay what they are."""
    return "".join(letter.lower() if letter.isascii() else letter for letter in text)


def span(text: str, start: int, length: int) -> Span:
    """Places are counted in bytes of UTF-8, not in characters."""
    first = len(text[:start].encode())
    return Span(first, first + len(text[start : start + length].encode()))


class Policy(exports.Policy):
    def describe(self) -> Description:
        return Description("house", "0.1.0", [RULE])

    def configure(self, settings: str) -> None:
        global refused
        try:
            given = json.loads(settings)
        except ValueError:
            raise Err("the settings are not JSON")
        if not isinstance(given, dict) or any(key != "refuse" for key in given):
            raise Err("the only setting is refuse, a list of texts")
        texts = given.get("refuse", [])
        if not isinstance(texts, list) or not all(isinstance(it, str) for it in texts):
            raise Err("refuse: expected a list of texts")
        refused = texts

    def review(self, request: Request) -> ReviewResult:
        text = request.command
        if not text.strip(" \t\r\n"):
            raise Err(Rejection_EmptyCommand())
        if "\0" in text:
            raise Err(Rejection_NulCharacter())
        bash = next((it for it in request.shells if it.dialect == Dialect.BASH), None)
        if bash is None:
            raise Err(Rejection_NoShell("bash"))
        findings = []
        at = lower(text).find("drop table")
        if at >= 0:
            findings.append(
                Finding(RULE.id, RULE.severity, "drops a table with all its rows", span(text, at, 10))
            )
        verdict = Verdict_Proceed()
        for phrase in refused:
            if phrase in text:
                verdict = Verdict_Refuse(f"the house does not allow {phrase}")
                break
        return ReviewResult(
            Invocation([bash.program, "-c", text], Dialect.BASH, True), findings, [], verdict, []
        )

    def classify(self, command: str, ending: Ending) -> Classification:
        if ending.timed_out:
            return Classification(Status.ERROR, "timed out", "house.timeout", [])
        if ending.signal is not None:
            return Classification(Status.SIGNAL, f"ended by signal {ending.signal}", "house.signal", [])
        if ending.exit_code == 0:
            return Classification(Status.OK, None, "house.zero", [])
        return Classification(Status.ERROR, f"exit code {ending.exit_code}", "house.exit", [])
