"""Wrong answers to the exercises of Private feature selection."""

import numpy as np


def camp_change__half_of_the_first_weight(reg):
    low, high = 0.0, 1 / (2 * reg)
    for _ in range(100):
        w = (low + high) / 2
        low, high = (w, high) if 2 * reg * w < 1 / (1 + np.exp(w)) else (low, w)
    return w / 2


def camp_change__the_published_bound(reg):
    return 2 / (4000 * reg)


def largest_hub__hits_only(X, y):
    used = np.zeros(len(y))
    for i in range(len(y)):
        distance = np.linalg.norm(X - X[i], axis=1)
        distance[i] = np.inf
        used[np.argmin(np.where(y == y[i], distance, np.inf))] += 1
    return used.max()


def largest_hub__classes_forgotten(X, y):
    used = np.zeros(len(y))
    for i in range(len(y)):
        distance = np.linalg.norm(X - X[i], axis=1)
        distance[i] = np.inf
        used[np.argmin(distance)] += 1
    return used.max()
