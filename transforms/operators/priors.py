"""How likely each operator is to hold the fix, given the class of the failure.

P(operator | class, subclass) is proportional to the base weight of the operator times the factor of its family for that
subclass. The numbers are set by hand. Their order follows published counts of what single-statement fixes look like.
Changed conditions and added guards lead, then changed call arguments and method names. Replaced variables follow, then
inserted and moved statements, wrapped expressions, and literals. The counts are from Pan, Kim and Whitehead 2009;
Martinez and Monperrus 2015; Campos and Maia 2017; and Sobreira et al. 2018. Others are from Liu et al., TBar, 2019;
Karampatsis and Sutton, ManySStuBs4J, 2020; Widyasari et al., BugsInPy, 2020. None was fitted to a
benchmark. ``transforms.enumerate.order`` takes them for the prior of what it learns from counts.
"""

from __future__ import annotations

from types import MappingProxyType

from analysis.facts import FailureClass

BASE = MappingProxyType(
    {
        "guard_statement": 0.05,
        "guard_wrap": 0.02,
        "guard_condition": 0.03,
        "foreign_operand": 0.02,
        "special_name": 0.02,
        "ask_base": 0.02,
        "default_value": 0.03,
        "detour": 0.02,
        "safe_access": 0.015,
        "lookup_default": 0.015,
        "convert": 0.03,
        "as_elsewhere": 0.06,
        "as_sibling": 0.04,
        "kindred_test": 0.03,
        "other_value": 0.012,
        "other_class": 0.02,
        "replace_name": 0.06,
        "name_to_expression": 0.04,
        "replace_expression": 0.04,
        "replace_literal": 0.02,
        "rename_attribute": 0.03,
        "add_attribute": 0.02,
        "replace_target": 0.01,
        "wrap_conversion": 0.04,
        "wrap_builtin": 0.01,
        "wrap_known_call": 0.02,
        "wrap_method": 0.03,
        "wrap_as_elsewhere": 0.02,
        "wrap_index": 0.02,
        "off_by_one": 0.035,
        "negate_value": 0.01,
        "combine": 0.04,
        "keep_extreme": 0.02,
        "power": 0.01,
        "unwrap": 0.04,
        "put_in_collection": 0.008,
        "put_in_brackets": 0.006,
        "join_texts": 0.006,
        "comparison": 0.05,
        "membership": 0.01,
        "arithmetic": 0.03,
        "swap_operands": 0.015,
        "augmented": 0.01,
        "regroup": 0.01,
        "negate_condition": 0.02,
        "boolean_operator": 0.015,
        "drop_conjunct": 0.015,
        "add_conjunct": 0.08,
        "replace_condition": 0.02,
        "truth_to_identity": 0.03,
        "comprehension_filter": 0.008,
        "number": 0.03,
        "told_number": 0.015,
        "constant": 0.02,
        "string": 0.03,
        "slice_bounds": 0.02,
        "collection_elements": 0.012,
        "neutral_value": 0.012,
        "holds_empty": 0.008,
        "key": 0.01,
        "swap_indices": 0.012,
        "field_format": 0.01,
        "field_text": 0.012,
        "fields": 0.01,
        "percent_format": 0.008,
        "brace_format": 0.008,
        "pattern": 0.012,
        "pattern_call": 0.01,
        "swap_arguments": 0.015,
        "in_other_order": 0.012,
        "drop_argument": 0.015,
        "add_argument": 0.035,
        "argument_keyword": 0.004,
        "other_function": 0.04,
        "drop_call": 0.005,
        "add_call": 0.008,
        "copy_statement": 0.04,
        "copy_renamed": 0.02,
        "rest_behind_loop": 0.015,
        "fill_asked": 0.02,
        "initialize": 0.03,
        "assign_again": 0.02,
        "move_along": 0.02,
        "take_back": 0.02,
        "add_return": 0.02,
        "jump": 0.012,
        "store_attribute": 0.01,
        "copy_attribute": 0.015,
        "normalize": 0.02,
        "delete_statement": 0.015,
        "swap_neighbours": 0.015,
        "move_statement": 0.01,
        "move_out_of_block": 0.02,
        "move_into_block": 0.012,
        "unwrap_block": 0.008,
        "wrap_in_if": 0.02,
        "early_exit": 0.04,
        "else_and_elif": 0.012,
        "add_else": 0.012,
        "swap_branches": 0.004,
        "swap_ternary": 0.004,
        "range_bounds": 0.02,
        "iterate_otherwise": 0.015,
        "if_and_while": 0.02,
        "exchange_jump": 0.02,
        "raised_type": 0.012,
        "caught_type": 0.015,
        "insert_raise": 0.03,
        "reraise": 0.006,
        "catch": 0.01,
        "return_it": 0.015,
        "assign_it": 0.01,
        "yield_it": 0.008,
        "await_it": 0.005,
        "copy": 0.02,
        "copy_inside": 0.012,
        "qualify_name": 0.05,
        "other_definition": 0.008,
        "type_everywhere": 0.006,
        "attribute_everywhere": 0.006,
        "pass_keyword": 0.03,
        "fall_back": 0.02,
        "only_none": 0.02,
        "value_if": 0.012,
        "value_by_type": 0.01,
        "move_not": 0.01,
        "chain_comparison": 0.008,
        "class_asked": 0.008,
        "part_first": 0.025,
        "add_handler": 0.01,
        "narrow_try": 0.006,
        "drop_handler": 0.004,
        "caught_kin": 0.01,
        "collect_otherwise": 0.006,
        "swap_loops": 0.004,
        "element": 0.006,
        "take_apart": 0.006,
        "swap_loop_targets": 0.004,
        "part_once": 0.01,
        "take_out": 0.01,
        "other_access": 0.008,
        "text_prefix": 0.01,
        "text_elsewhere": 0.012,
        "shorten_text": 0.01,
        "one_of_texts": 0.012,
        "loop_else": 0.008,
        "drop_clause": 0.008,
        "count_from": 0.008,
        "wait_in_turn": 0.006,
        "out_of_two_blocks": 0.006,
        "otherwise_behind_loop": 0.012,
        "whatever_happens": 0.003,
        "fresh_elements": 0.01,
        "bind_now": 0.01,
        "new_for_in_place": 0.012,
        "at_once": 0.012,
        "declare": 0.01,
        "format_spec": 0.006,
        "time_format": 0.008,
        "raise_from": 0.005,
        "spread_argument": 0.01,
        "one_as_slice": 0.012,
        "part_for_one": 0.012,
        "strip_text": 0.012,
        "clean_parts": 0.01,
        "ask_table": 0.008,
        "compare_more": 0.01,
        "no_bool": 0.008,
        "once": 0.01,
    }
)
"""Weight of each operator where nothing is known of the failure; they sum to less than three."""

_SAFETY = {"guard": 3.0, "access": 2.0, "initialization": 2.0, "format": 0.3, "delete": 0.5}
_VALUE = {"guard": 0.5, "initialization": 0.6, "raise": 0.2, "exception": 0.5, "await": 0.5}

BY_CLASS = MappingProxyType(
    {
        FailureClass.RUNTIME_SAFETY: _SAFETY,
        FailureClass.LOGIC: _VALUE,
        FailureClass.CONTRACT: {"exception": 3.0, "raise": 3.0, "condition": 1.5, "guard": 1.5},
    }
)
"""Factors of families by failure class."""

BY_SUBCLASS = MappingProxyType(
    {
        "text": {"format": 4.0, "literal": 1.5, "wrap": 1.5},
        "message": {"format": 4.0, "literal": 3.0, "ingredients": 1.5},
        "name": {"ingredients": 2.0, "initialization": 3.0, "attributes": 1.5},
        "unbound": {"initialization": 6.0, "move": 1.5},
        "none": {"guard": 2.0, "return": 2.0, "condition": 1.3},
        "attribute": {"attributes": 4.0, "wrap": 1.5, "unwrap": 1.5, "initialization": 1.5, "call": 1.5},
        "type": {"wrap": 1.5, "unwrap": 1.5, "call": 2.5, "await": 3.0, "copy": 0.5},
        "key": {"access": 3.0, "literal": 1.5, "copy": 0.5},
        "index": {"arithmetic": 2.0, "loop": 2.0, "comparison": 1.5, "condition": 1.3, "access": 0.5},
        "empty": {"access": 2.0, "condition": 1.3},
        "division": {"guard": 2.0, "arithmetic": 1.5},
        "conversion": {"exception": 3.0, "wrap": 1.5},
        "iteration": {"loop": 3.0, "copy": 2.0, "guard": 1.5},
        "missing_raise": {"raise": 4.0, "condition": 1.5, "comparison": 1.5, "delete": 1.5},
        "wrong_raise": {"exception": 3.0, "guard": 1.5},
        "unexpected_raise": {"condition": 2.0, "exception": 2.0, "comparison": 1.5, "literal": 1.3},
        "timeout": {"loop": 2.5, "comparison": 2.0, "condition": 1.5, "insert": 3.0, "arithmetic": 1.5, "literal": 1.5},
    }
)
"""Further factors of families by subclass; a subclass that is not named has none."""

UNLISTED = 0.002
"""The weight of an operator of a family of which none is listed: mutmut's, whose edits are others' as well."""


def class_factor(family: str, failure_class: FailureClass) -> float:
    """How much likelier a family is than elsewhere for a class of failures."""
    return BY_CLASS.get(failure_class, {}).get(family, 1.0)


def subclass_factor(family: str, subclass: str) -> float:
    """How much likelier a family is for a subclass than for its class."""
    return BY_SUBCLASS.get(subclass, {}).get(family, 1.0)
