"""Measurements that the speed claims rest on: ``python -m benchmarks.frequency`` and the like."""
