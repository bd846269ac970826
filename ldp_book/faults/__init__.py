"""What is broken on purpose, and nothing else: published faults and slips found in the wild, kept to be audited.

Nothing here is for use. Each fault stands in the module of the family it belongs to, beside the name of its mend, and
:func:`ldp_core.audit.exact_epsilon` shows what it costs.
"""
