#!/bin/sh
# Writes requirements.txt and requirements-build.txt anew: exact versions with hashes, one choice for every supported
# Python and system, and no index address, so that whatever index pip is set to can serve them. uv does the
# choosing, in an environment of its own that goes away afterwards.
#
#   tools/lock.sh                        the newest versions that pyproject.toml allows
#   tools/lock.sh --keep                 only what a change in pyproject.toml asks for
set -eu
cd "$(dirname "$0")/.."

mode=--upgrade
[ "${1:-}" != --keep ] || mode=
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python=.venv/bin/python
[ -x $python ] || python=python3
$python -m venv "$scratch"
"$scratch/bin/python" -m pip install --quiet 'uv==0.13.*'

lock() { # lock OUTPUT INPUT...
    output=$1
    shift
    # shellcheck disable=SC2086
    "$scratch/bin/uv" pip compile --quiet $mode --universal --python-version 3.11 --fork-strategy fewest --generate-hashes \
        --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" -o "$output" "$@"
}

lock requirements-build.txt requirements-build.in
lock requirements.txt --extra test --constraint tools/lock-limits.txt pyproject.toml
