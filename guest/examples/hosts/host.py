"""A host in Python: asks a policy about JSON lines on standard input and answers as `ostler policy check --batch` does.

usage: host.py POLICY.wasm    (needs `pip install wasmtime`)
"""

import json
import sys

from wasmtime import Config, Engine, Store, WasiConfig, component

INTERFACE = "ostler:terminal/policy@0.1.0"


def record(**fields):
    made = component.Record()
    for name, value in fields.items():
        setattr(made, name.replace("_", "-"), value)
    return made


def get(made, name):
    return getattr(made, name)


class Policy:
    def __init__(self, file):
        # An endless loop in a policy ends when its fuel does.
        config = Config()
        config.consume_fuel = True
        self.engine = Engine(config)
        self.component = component.Component.from_file(self.engine, file)
        self.linker = component.Linker(self.engine)
        self.linker.add_wasip2()

    def call(self, name, *arguments):
        """A fresh instance for each question: a policy must not rely on being asked twice."""
        store = Store(self.engine)
        store.set_fuel(10_000_000_000)
        store.set_wasi(WasiConfig())
        instance = self.linker.instantiate(store, self.component)
        interface = instance.get_export_index(store, INTERFACE)
        index = instance.get_export_index(store, name, interface)
        function = instance.get_func(store, index)
        answer = function(store, *arguments)
        function.post_return(store)
        return answer


def shell(word):
    """`auto` and `shell` are cases without a payload, a named interpreter is its name."""
    known = {"bash": "/bin/bash", "powershell": "pwsh", "cmd": "cmd.exe"}
    if word in (None, "", "auto", "direct"):
        return component.Variant("auto")
    if word == "shell":
        return component.Variant("shell")
    return component.Variant("named", known.get(word, word))


def finding(it):
    span = get(it, "span")
    return {
        "rule": get(it, "rule"),
        "severity": get(it, "severity"),
        "message": get(it, "message"),
        "span": [get(span, "start"), get(span, "end")],
    }


def opaque(it):
    span = get(it, "span")
    return {"reason": get(it, "reason"), "span": [get(span, "start"), get(span, "end")]}


def verdict(it):
    """A variant whose cases carry the same payload keeps its tag."""
    reply = {"verdict": it.tag}
    if it.payload is not None:
        reply["reason"] = it.payload
    return reply


def ask(policy, question):
    request = record(
        command=question["command"],
        shell=shell(question.get("shell")),
        os=question.get("os", "linux"),
        shells=[record(dialect="bash", program="/bin/bash")],
        cwd=question.get("cwd", "/"),
        extra=[],
    )
    answer = policy.call("review", request)
    reply = {"invocation": None, "findings": [], "opaque": [], "verdict": None}
    dialect = "bash"
    # A result whose sides have different types arrives as whichever side it is.
    if isinstance(answer, component.Record):
        review = answer
        invocation = get(review, "invocation")
        dialect = get(invocation, "dialect")
        reply["invocation"] = {
            "argv": get(invocation, "argv"),
            "dialect": dialect,
            "auto_shell": get(invocation, "auto-shell"),
        }
        reply["findings"] = [finding(it) for it in get(review, "findings")]
        reply["opaque"] = [opaque(it) for it in get(review, "opaque")]
        reply |= verdict(get(review, "verdict"))
    else:
        reply["error"] = True
    code = question.get("exit_code")
    reply["classification"] = None
    if code is not None:
        # Where codes are 32 bits wide, a negative one is a code.
        is_signal = code < 0 and dialect not in ("powershell", "cmd")
        ending = record(
            exit_code=None if is_signal else code,
            signal=-code if is_signal else None,
            timed_out=question.get("timed_out", False),
            dialect=dialect,
            stderr_excerpt=question.get("stderr", ""),
            stage_statuses=None,
            extra=[],
        )
        it = policy.call("classify", question["command"], ending)
        reply["classification"] = {name: get(it, name) for name in ("status", "message", "rule")}
    return reply


if __name__ == "__main__":
    asked = Policy(sys.argv[1])
    for line in sys.stdin:
        if line.strip():
            print(json.dumps(ask(asked, json.loads(line)), ensure_ascii=False))
