"""`make bench-tune`: how often `repair tune` accepts noise, and how often it finds what is there.

The campaigns are the product's own loop over models whose truth is known. The usual rule, "better on the mean of all
tasks", decides about the same edits beside it.
"""

from __future__ import annotations

import datetime
import re
import statistics
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import click

import corpora
from corpora.lab.benchmarks.figures import Figure, Measured, Row, join_measured, table, write_record
from corpora.lab.benchmarks.leaking_edits import (
    CHAINS,
    CLEAN_CHAINS,
    FIRST,
    INLINE,
    LEAKS,
    NAMES_OF_TASKS,
    TASKS,
    WORD_OF_OUTPUT,
)
from corpora.lab.benchmarks.own_campaign import run_own_campaign
from corpora.lab.benchmarks.setup import machine_of, say, versions
from corpora.lab.benchmarks.simulated_prompts import (
    ENDS,
    HIGH_ENDS,
    LOW_ENDS,
    NOISY_ENDS,
    SEALED,
    SELECT,
    SimulatedModel,
    Worth,
    advice,
    plan_of,
    prompt_of,
    run_simulation,
)
from corpora.tuning.guards import find_breach
from corpora.tuning.leaks import find_leak, read_tasks
from corpora.tuning.own_prompts import projects_of, texts_of
from corpora.tuning.prompt_text import PromptEdit, apply_edit, sentences

FALSE_ACCEPT = Figure("tune_false_accept", 0.05, 0.01, floor=False)
POWER = Figure("tune_power_20_points", 0.80, 0.95)
POWER_IN_A_ROW = Figure("tune_power_of_edits_in_a_row", 0.80, 0.95)
POWER_LATER = Figure("tune_power_after_edits_that_do_nothing", 0.80, 0.95)
SAMPLES = Figure("tune_samples_of_full_test", 0.60, 0.40, floor=False)
OVERFIT = Figure("tune_overfit_survives_seal", 0.05, 0.0, floor=False)
DELETED = Figure("tune_useless_deleted_of_5", 3, 5)
NEEDED_LOST = Figure("tune_campaigns_that_lose_a_needed_sentence", 0.0, 0.0, floor=False)
LEAK_GUARD = Figure("tune_leaks_refused_of_50", 50, 50)
CHAIN_GUARD = Figure("tune_leaking_chains_refused", 1.0, 1.0)
CLEAN_PASS = Figure("tune_clean_chains_that_pass", 1.0, 1.0)

NULL_EDITS, ANOTHER_MODEL = 20, 77_777
LEAST_WORDS = 20
INSIDE, AT_ENDS = "Mind that {} is so. Wait. Say that {} too.", "Mind that {}. Wait. {} is so."
"""Two edits apart from each other, with a half of a passage each: within a sentence, or at the ends of two."""
NULLS_BEFORE = (1, 2, 5, 10)
RESCUES = (0.2 / 0.75, 0.2 / 0.55, 0.2 / 0.35)
"""Of the failures that are left, what each of three edits mends: 20 points each."""


def null_campaigns(count: int) -> Measured:
    """Campaigns of edits that do nothing: the share that ends with any change, and that of the usual rule."""
    prompt = prompt_of(10)
    changed = fooled = edits_fooled = 0
    for seed in range(count):
        plan = plan_of(seed, iterations=NULL_EDITS, deletions=False)
        edits = [PromptEdit("insert", 10, text) for text in advice("Weigh", NULL_EDITS)]
        done = run_simulation(plan, prompt, {}, edits)
        changed += done.last != done.first
        taken = sum(naive(done.model, prompt, apply_edit(prompt, edit), seed) for edit in edits)
        fooled += taken > 0
        edits_fooled += taken
    values = Row(FALSE_ACCEPT, (("campaigns", changed / count),))
    numbers = (
        ("naive_false_accept_campaigns", fooled / count),
        ("naive_false_accept_edits", edits_fooled / count / NULL_EDITS),
    )
    note = f"{count} campaigns of {NULL_EDITS} edits that do nothing, {SELECT} select and {SEALED} sealed tasks"
    return Measured((values,), numbers, (note,))


def naive(model: SimulatedModel, before: str, after: str, seed: int) -> bool:
    """The usual rule: one attempt at each of the select tasks, and the higher mean wins."""
    plan = plan_of(seed, iterations=1, deletions=False)
    scores = [
        sum(model.attempt(prompt, task.id, 0).word == "solved" for task in plan.of_share("select"))
        for prompt in (before, after)
    ]
    return scores[1] > scores[0]


def planted_gains(count: int) -> Measured:
    """Campaigns of one edit that gains 20 points: spread over all failures, or on two fifths of the tasks alone.

    The second shape is harder: no more than a fifth of all tasks can show it.
    """
    prompt, (good,) = prompt_of(10), advice("Gain", 1)
    shapes = (("spread", Worth(rescues=0.4)), ("two_fifths", Worth(rescued_tasks=0.4)))
    shares, used, gains = [], [], []
    for name, worth in shapes:
        accepted, tasks, truths = 0, [], []
        for seed in range(count):
            plan = plan_of(seed, iterations=1, deletions=False)
            done = run_simulation(plan, prompt, {good: worth}, [PromptEdit("insert", 10, good)])
            accepted += good in done.last
            judged = done.steps[0].judged
            if judged is not None:
                tasks.append(len(judged.pairs) / SELECT)
            truths.append(done.model.truth(f"{prompt}{good}\n") - done.model.truth(prompt))
        shares.append((name, accepted / count))
        used.append((name, statistics.median(tasks)))
        gains.append((f"true_gain_{name}", statistics.mean(truths)))
    note = f"{count} campaigns for each shape of a gain of 20 points, tried as the first edit, the seal passed, too"
    rows = (Row(POWER, tuple(shares[:1])), Row(SAMPLES, tuple(used[:1])))
    harder = (("power_two_fifths", shares[1][1]), ("samples_two_fifths", used[1][1]))
    return Measured(rows, (*gains, *harder), (note,))


def gains_in_a_row(count: int) -> Measured:
    """Campaigns of three edits, of which each gains 20 points on top of those before it, from a quarter solved.

    An edit counts where those before it were accepted.
    """
    prompt, texts = prompt_of(10), tuple(advice("Gain", len(RESCUES)))
    worth = {text: Worth(rescues=rescues) for text, rescues in zip(texts, RESCUES, strict=True)}
    edits = [PromptEdit("insert", 10, text) for text in texts]
    accepted, tried, whole = [0] * len(texts), [0] * len(texts), 0
    for seed in range(count):
        done = run_simulation(plan_of(seed, iterations=len(texts), deletions=False), prompt, worth, edits, LOW_ENDS)
        for number, step in enumerate(step for step in done.steps if step.kind == "edit"):
            tried[number] += 1
            accepted[number] += step.accepted
            if not step.accepted:
                break
        whole += all(text in done.last for text in texts)
    shares = tuple((f"edit_{n}", accepted[n - 1] / max(1, tried[n - 1])) for n in range(1, len(texts) + 1))
    note = f"{count} campaigns of three edits that gain 20 points each; all three in the sealed prompt: {whole}"
    return Measured((Row(POWER_IN_A_ROW, shares),), (("all_three_are_kept", whole / count),), (note,))


def later_gains(count: int) -> Measured:
    """Campaigns of edits that do nothing, and then one that gains 20 points spread over all failures."""
    prompt, (good,) = prompt_of(10), advice("Gain", 1)
    shares, tests = [], []
    for before in NULLS_BEFORE:
        kept, tested = 0, 0
        edits = [PromptEdit("insert", 10, text) for text in (*advice("Weigh", before), good)]
        for seed in range(count):
            done = run_simulation(
                plan_of(seed, iterations=before + 1, deletions=False), prompt, {good: Worth(0.4)}, edits
            )
            kept += good in done.last
            tested += sum(step.kind == "edit" and step.judged is not None for step in done.steps[:before])
        shares.append((f"after_{before}", kept / count))
        tests.append((f"tests_before_the_gain_after_{before}", tested / count))
    return Measured((Row(POWER_LATER, tuple(shares)),), tuple(tests), (f"{count} campaigns for each number before",))


def planted_overfits(count: int) -> Measured:
    """Campaigns of one edit that helps on train and select projects, and costs 30 points on sealed ones."""
    prompt, (bad,) = prompt_of(10), advice("Overfit", 1)
    survived = tested = 0
    losses = []
    for seed in range(count):
        plan = plan_of(seed, iterations=1, deletions=False)
        done = run_simulation(plan, prompt, {bad: Worth(rescues=0.5, sealed=0.6)}, [PromptEdit("insert", 10, bad)])
        survived += bad in done.last
        tested += done.steps[0].accepted
        sealed = [task.id for task in plan.of_share("sealed")]
        grown = f"{prompt}{bad}\n"
        losses.append(statistics.mean(done.model.chance(grown, t) - done.model.chance(prompt, t) for t in sealed))
    numbers = (("overfits_that_passed_select", tested / count), ("overfit_true_loss", statistics.mean(losses)))
    return Measured((Row(OVERFIT, (("campaigns", survived / count),)),), numbers)


def planted_sentences(count: int) -> Measured:
    """Campaigns of deletions: 5 of 20 sentences are useless, 5 are needed, worth 20 points each.

    The other ten are worth 10 points each or, in campaigns of their own, 2: too little to be told from nothing.
    """
    parts = [
        _deletions(count, name, worth) for name, worth in (("others_10_points", 0.145), ("others_2_points", 0.029))
    ]
    return join_measured(parts)


def _deletions(count: int, name: str, others: float) -> Measured:
    prompt = prompt_of(20)
    known = [one.text for one in sentences(prompt)]
    useless, needed, rest = known[::4], known[1::4], [*known[2::4], *known[3::4]]
    worth = {text: Worth(needed=0.29) for text in needed} | {text: Worth(needed=others) for text in rest}
    deleted, lost, changes = [], 0, []
    for seed in range(count):
        plan = plan_of(seed, iterations=40, deletions=True)
        done = run_simulation(plan, prompt, worth, None, HIGH_ENDS)
        deleted.append(sum(text not in done.last for text in useless))
        lost += any(text not in done.last for text in needed)
        changes.append(done.model.truth(done.last) - done.model.truth(prompt))
    numbers = (
        (f"campaigns_that_delete_3_of_5_{name}", sum(many >= 3 for many in deleted) / count),
        (f"deleted_mean_{name}", statistics.mean(deleted)),
        (f"true_change_mean_{name}", statistics.mean(changes)),
        (f"true_change_worst_{name}", min(changes)),
    )
    lost_row = Row(NEEDED_LOST, ((name, lost / count),))
    rows = (Row(DELETED, ((name, statistics.median(deleted)),)), lost_row) if others > 0.1 else (lost_row,)
    return Measured(rows, numbers, (f"{count} campaigns of deletions at a margin of 10 points ({name})",))


def changed_endpoints(count: int) -> Measured:
    """Campaigns of an edit that gains 20 points, at whose end the endpoint answers as another model, or as before.

    The other model has chances of its own for each task. Void campaigns of the second kind are void by mistake.
    """
    prompt, (good,) = prompt_of(10), advice("Gain", 1)
    edits, worth = [PromptEdit("insert", 10, good)], {good: Worth(rescues=0.4)}
    numbers = []
    for name, ends in (("few_flips", ENDS), ("many_flips", NOISY_ENDS)):
        shares = []
        for other in (0, ANOTHER_MODEL):
            plans = (plan_of(seed, iterations=1, deletions=False) for seed in range(count))
            done = [run_simulation(plan, prompt, worth, edits, ends, changed_by=other) for plan in plans]
            shares.append(sum(any(step.kind == "void" for step in one.steps) for one in done) / count)
        numbers += [(f"void_by_mistake_{name}", shares[0]), (f"void_of_another_model_{name}", shares[1])]
    return Measured(
        (), tuple(numbers), (f"{count} campaigns whose endpoint changes before their end, and as many others",)
    )


def leaks() -> Measured:
    """How many edits that give a task away are refused, alone and in chains of each kind, and how many clean ones."""
    known = read_tasks(TASKS, NAMES_OF_TASKS)
    refused = sum(bool(find_leak(text, known, FIRST)) for text in LEAKS)
    shares = tuple((kind, sum(map(is_refused, chains)) / len(chains)) for kind, chains in CHAINS.items())
    clean = sum(not is_refused(chain) for chain in CLEAN_CHAINS) / len(CLEAN_CHAINS)
    rows = (Row(LEAK_GUARD, (("edits", float(refused)),)), Row(CHAIN_GUARD, shares))
    note = f"{sum(map(len, CHAINS.values()))} chains of leaking edits, {len(CLEAN_CHAINS)} clean ones"
    return Measured((*rows, Row(CLEAN_PASS, (("chains", clean),))), (), (note,))


def is_refused(chain: tuple[PromptEdit, ...]) -> bool:
    """Whether the guard refuses an edit of the chain, when each stands on the prompt that those before it leave."""
    known, body = read_tasks((*TASKS, *INLINE), (*NAMES_OF_TASKS, WORD_OF_OUTPUT)), FIRST
    for edit in chain:
        if find_breach(edit, body, FIRST, known, frozenset(), bold=False):
            return True
        body = apply_edit(body, edit)
    return False


def random_halves(count: int) -> Measured:
    """How many passages of our own corpus, drawn by chance and brought in by two edits, are refused.

    No half alone is. Beside them stand pairs of sentences of our own pages, of which none is refused alone either.
    """
    rng, root = Random(5), Path(corpora.__file__).parents[1]
    corpus = f"flat:{root / 'corpora' / 'own'}"
    known = read_tasks(texts_of(corpus), projects_of(corpus))
    passages = [words for words in map(str.split, known.passages) if len(words) > LEAST_WORDS]

    def drawn(size: int) -> Iterator[tuple[str, str]]:
        while True:
            words = rng.choice(passages)
            start = rng.randrange(len(words) - size)
            yield " ".join(words[start : start + size // 2]), " ".join(words[start + size // 2 : start + size])

    def refused(form: str, pairs: Iterator[tuple[str, str]]) -> float:
        """The share of pairs that the guard refuses, where it refuses neither half."""
        found: list[bool] = []
        for one, other in pairs:
            if not (find_leak(f"Mind {one} twice.", known, "") or find_leak(f"Mind {other} twice.", known, "")):
                found.append(bool(find_leak(form.format(one, other), known, "")))
            if len(found) == count:
                break
        return sum(found) / len(found)

    numbers = [
        ("halves_of_6_words_refused", refused(INSIDE, drawn(6))),
        ("halves_of_8_words_refused", refused(INSIDE, drawn(8))),
        ("halves_of_8_words_refused_at_ends", refused(AT_ENDS, drawn(8))),
    ]
    pages = (page.read_text("utf-8") for page in sorted((root / "docs").glob("*.md")))
    clean = [text for page in pages for text in re.findall(r"[A-Z][a-z][^.|`#*<>\n]{30,110}\.", page)]
    rng.shuffle(clean)
    pairs = zip(clean[::2], clean[1::2], strict=False)
    numbers.append(("pairs_of_other_sentences_refused", refused("{} Wait. {}", pairs)))
    return Measured((), tuple(numbers), (f"{count} passages of each size from our own corpus, in halves",))


@click.command()
@click.option("--null", type=click.IntRange(min=1), default=200, show_default=True, help="Campaigns that do nothing.")
@click.option("--planted", type=click.IntRange(min=1), default=100, show_default=True, help="Campaigns of each other.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("build/bench/tune.json"), show_default=True)
@click.option(
    "--own", type=click.Path(path_type=Path), help="One campaign on a prompt of ours instead, in this folder."
)
def main(null: int, planted: int, out: Path, own: Path | None) -> None:
    """Run all simulated campaigns, print the table and write it to OUT."""
    if own is not None:
        own.mkdir(parents=True)
        raise SystemExit(run_own_campaign(own.absolute()))
    parts: tuple[tuple[str, Callable[[], Measured]], ...] = (
        ("edits that do nothing", lambda: null_campaigns(null)),
        ("gains of 20 points", lambda: planted_gains(planted)),
        ("gains in a row", lambda: gains_in_a_row(planted)),
        ("gains after edits that do nothing", lambda: later_gains(planted)),
        ("edits that overfit", lambda: planted_overfits(planted)),
        ("useless sentences", lambda: planted_sentences(planted)),
        ("endpoints that change", lambda: changed_endpoints(planted)),
        ("edits that give a task away", leaks),
        ("passages in halves", lambda: random_halves(planted)),
    )
    found = []
    for name, part in parts:
        say(name)
        found.append(part())
    measured = join_measured(found)
    click.echo(table(measured))
    for name, value in measured.numbers:
        click.echo(f"{name}  {value:.3g}")
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    write_record(out, measured, date=today, versions=versions(), machine=machine_of())
    say(f"written to {out}")


if __name__ == "__main__":
    main()
