"""Our laboratory: what we measure, judge and learn the engine with. It lies outside of the wheel.

Users get ``repair bench`` and ``repair corpus``, and these import nothing from here. All of it runs from a checkout.

Every session
    ``make lab`` (its own tests), ``make demo``, ``make bench-search``, ``make bench-judge``

Before a release
    ``make bench-validation``, ``make bench-mutation``, ``make bench-overhead``, ``make bench-judge-cheats``,
    ``make soak``

Rarely: once for a question, and again where what it asks about has changed
    ``make decisive``, ``make learn``, ``make bench-report``,
    ``python -m corpora.lab.benchmarks.extra_gates``, ``.twins``
"""
