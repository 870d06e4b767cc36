#!/usr/bin/env bash
# Compares the speed of two builds on a GPU, point by point: bench/guard.sh --help
exec python3 "$(dirname "$0")/guard.py" "$@"
