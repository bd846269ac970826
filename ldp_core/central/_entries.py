"""What a ledger knows about an entry: its loss, its Rényi divergences, its ρ, and what they become for a group."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

from ldp_core._validate import check_int
from ldp_core.central.privacy_loss import PrivacyLoss
from ldp_core.central.renyi import half_square, rdp_laplace, rdp_pure, rdp_sampled_gaussian

__all__ = ["Entry", "Gaussian", "Pure"]

Kind = Literal["pure", "laplace", "direct"]


@dataclass(frozen=True)
class Pure:
    """Answers with a pure ε: any such mechanism, real-valued Laplace noise, or direct encoding with d answers."""

    times: int
    epsilon: float
    kind: Kind = "pure"
    d: int = 2

    def group(self, size: int) -> Pure:
        """Give the entry for a group: the sensitivity of Laplace noise grows with it; of others, ε alone is known."""
        if size == 1:
            return self
        return Pure(self.times, size * self.epsilon, "laplace" if self.kind == "laplace" else "pure")

    @property
    def rho(self) -> float:
        """ρ of all answers."""
        return half_square(self.epsilon) * self.times

    def rdp(self, alpha: float) -> float:
        """Rényi divergence of all answers."""
        one = rdp_laplace if self.kind == "laplace" else rdp_pure
        each = one(alpha, epsilon=self.epsilon)
        if self.d > 2:  # with the rest of its probability an answer tells nothing
            telling = (1 + math.exp(-self.epsilon)) / (1 + (self.d - 1) * math.exp(-self.epsilon))
            moment = (alpha - 1) * each
            log = math.log1p(telling * math.expm1(moment)) if moment < 700 else moment + math.log(telling)
            each = max(log, 0.0) / (alpha - 1)
        return each * self.times

    def loss(self) -> PrivacyLoss:
        """Loss of all answers."""
        if self.kind == "laplace":
            return PrivacyLoss.laplace(self.epsilon).self_compose(self.times)
        return PrivacyLoss.randomized_response(self.epsilon, self.d).self_compose(self.times)


@dataclass(frozen=True)
class Gaussian:
    """Answers with Gaussian noise, about everybody or about random batches."""

    times: int
    sigma: float
    sensitivity: float
    rate: float = 1.0
    whole_numbers: bool = False

    def group(self, size: int) -> Gaussian:
        """Give the entry for a group: the sensitivity grows with it."""
        if size > 1 and self.rate < 1:
            raise ValueError("a random batch may hold any number of a group: see Accountant.interval")
        return replace(self, sensitivity=size * self.sensitivity)

    @property
    def rho(self) -> float:
        """ρ of all answers, were they about everybody: batches do not make it larger."""
        return half_square(self.sensitivity / self.sigma) * self.times

    def rdp(self, alpha: float) -> float:
        """Rényi divergence of all answers."""
        if self.rate == 1:
            return alpha * self.rho
        sampled = rdp_sampled_gaussian(alpha, sigma=self.sigma, sampling_rate=self.rate, sensitivity=self.sensitivity)
        return sampled * self.times

    def loss(self) -> PrivacyLoss:
        """Loss of all answers."""
        if self.whole_numbers:
            step = check_int(int(self.sensitivity), "sensitivity", 1)
            return PrivacyLoss.discrete_gaussian(self.sigma, step).self_compose(self.times)
        if self.rate < 1:
            one = PrivacyLoss.gaussian(self.sigma, self.sensitivity).subsampled(self.rate)
            return one.self_compose(self.times)
        return PrivacyLoss.gaussian(1 / math.sqrt(2 * self.rho))  # k Gaussians are one


Entry = Pure | Gaussian
