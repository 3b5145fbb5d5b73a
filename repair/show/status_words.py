"""What each status of a run means, and what to do about it. Nothing of the engine is loaded for it."""

from __future__ import annotations

from repair.records.result import Status

STATUSES = {
    Status.CERTIFIED: (
        "The failing tests pass, nothing else broke, every required gate says yes, and the risk is small enough: 2 "
        "% at "
        "most. It does not say that the patch means what you meant: that only a person can say. A change that the "
        "search did not find does not get it today: among people's patches that look as good 14 % are wrong.",
        "Read the diff, then `repair apply` writes it, and `repair undo` takes it out again.",
    ),
    Status.PLAUSIBLE: (
        "The failing tests pass and nothing else broke, but a gate could not tell, or the risk is above the limit. "
        "Of five "
        "patches that pass, one is wrong.",
        "Answer the question, with `--answer` or by a test, and run again. Where there is none, read what the gates "
        "say "
        "that do not say yes. `repair apply` takes a plausible patch, too, if you trust it.",
    ),
    Status.REJECTED: (
        "A gate said no: a test that passed fails, the failing tests still fail, or the text does what no fix may do.",
        "Mend the change as that gate says, and judge it again. `-v` shows each gate with its witness.",
    ),
    Status.UNREPAIRED: (
        "No edit was found that passes the failing tests and breaks nothing, or the time was up before one could be "
        "judged.",
        "Where edits were left untried, more time helps (`--max-seconds`), or naming the function (`--function`). "
        "Where all "
        "were tried, a model may know other ones (`--model`), or a person.",
    ),
    Status.OUT_OF_SCOPE: (
        "The fault cannot lie in one function: a test calls what is not there, or a signature or a module has to "
        "change.",
        "Read the brief: it says what is known of the fault, for a person or an agent to go on from.",
    ),
    Status.NOT_REPRODUCED: (
        "The tests that you named pass here, so there is nothing to mend.",
        "Run them with pytest: where they fail there, a variable (`--pass-env`), another interpreter (`--python`) "
        "or files "
        "that are not in the project make the difference.",
    ),
    Status.FLAKY: (
        "The tests give other outcomes when they are run again, so no patch could be shown to mend them.",
        "Make them repeatable first: seeds, clocks, order, shared files.",
    ),
    Status.ENVIRONMENT: (
        "The tests cannot be run here, for a reason outside of the program: a missing module, no network, no rights.",
        "Mend what the message names. `repair doctor` says what this machine can do.",
    ),
    Status.TEST_DEFECT: (
        "The test itself is at fault: it fails in its own code, before it says anything of the program.",
        "Mend the test, then run again.",
    ),
    Status.UNPARSEABLE: (
        "A file of the program cannot be parsed, so there is no function to patch.",
        "Mend the syntax where the message points.",
    ),
    Status.DIAGNOSED: (
        "`repair explain` says what fails, which functions are suspects, and what a fix would be held to. Nothing "
        "was tried.",
        "`repair fix` with the same tests looks for a patch.",
    ),
    Status.NOTHING_FAILS: (
        "The whole suite was run and no test fails.",
        "Name tests that are not collected by default, or go on with your day. `--allow-no-failure` makes it exit "
        "status 0.",
    ),
    Status.UNCHANGED: (
        "There is no change to judge, or only comments and layout differ. No test was run.",
        "Change something, or name another revision with `--since`.",
    ),
    Status.INTERRUPTED: (
        "Ctrl-C, a signal, or the end of a terminal ended the run. No project file was changed.",
        "Run it again: what is known of tried edits is remembered.",
    ),
    Status.MODEL_ERROR: (
        "The model's backend refused, did not answer, or its budget is spent.",
        "Check key, address and budget; `repair doctor --model NAME` asks whether it answers. Search works "
        "without a model.",
    ),
    Status.USAGE: (
        "The command or the configuration cannot be understood, or there is no such run.",
        "The message says what was found, where, and what to write instead.",
    ),
    Status.CONFLICT: (
        "A file is no longer what the run read, so nothing was written.",
        "Commit or stash what changed, or run again on the files as they are.",
    ),
    Status.FOREIGN: (
        "Your own repair did not write this recorded run: nothing that it says is believed, and it has no verdict.",
        "`repair replay RUN` asks every gate again, here.",
    ),
    Status.ERROR: (
        "A defect of repair itself.",
        "Run again with `--debug` and report the traceback.",
    ),
}
