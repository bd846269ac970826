"""Mechanisms cannot be changed once they are made; they copy and pickle as before."""

import copy
import inspect
import pickle

import pytest

from ldp_core._frozen import Frozen
from ldp_core.frequency import OptimizedUnary, SubsetSelection
from ldp_core.numeric import Duchi, Hybrid, Laplace, Piecewise


@pytest.mark.parametrize(
    "mechanism",
    [Laplace(100.0), Duchi(1.0, 4), Piecewise(1.0, 3), Hybrid(1.0, 3), OptimizedUnary(1.0, 4), SubsetSelection(1.0, 4)],
    ids=lambda mechanism: type(mechanism).__name__,
)
def test_attributes_stay(mechanism):
    for name in ("epsilon", "dim", "something_new"):
        with pytest.raises(AttributeError, match=rf"{name} of a {type(mechanism).__name__} cannot be changed"):
            setattr(mechanism, name, 0.1)
    with pytest.raises(AttributeError, match=r"epsilon of a .* cannot be changed"):
        del mechanism.epsilon
    for other in (copy.copy(mechanism), copy.deepcopy(mechanism), pickle.loads(pickle.dumps(mechanism))):
        assert repr(other) == repr(mechanism)
        with pytest.raises(AttributeError):
            other.epsilon = 0.1


def test_a_readers_own_subclass_may_set_attributes_while_it_is_made():
    class Mine(OptimizedUnary):
        def __init__(self, epsilon, domain):
            super().__init__(epsilon, domain)
            self.name = "mine"

    mine = Mine(1.0, 4)
    assert mine.name == "mine"
    with pytest.raises(AttributeError):
        mine.name = "yours"


def test_the_signature_is_the_constructors():
    assert list(inspect.signature(OptimizedUnary).parameters) == ["epsilon", "domain"]
    assert list(inspect.signature(Duchi).parameters) == ["epsilon", "dim", "ties"]


def test_an_object_is_checked_when_all_constructors_have_run_and_before_it_is_closed():
    class Base(Frozen):
        def __init__(self):
            self.seen = []

        def _check_made(self):
            self.seen.append(sorted(vars(self)))

    class Derived(Base):
        def __init__(self):
            super().__init__()
            self.later = 1

    assert Derived().seen == [["later", "seen"]]
    assert Base().seen == [["seen"]]
