#!/bin/sh
# Makes .venv ready for work: finds Python, sees to the compiler and the Cairo and Pango headers that pycairo and
# manimpango need, installs the locked packages. `make` calls it; running it again is safe.
#
#   PYTHON=/path/to/python3.12 tools/setup.sh    to choose the Python yourself
#
# Nothing is taken on trust: a thing counts as there when it has just been used. .venv/ready appears only at the
# end and holds this folder's path, so that a moved or half-made environment is not taken for a finished one.
set -eu

cd "$(dirname "$0")/.."
here=$(pwd -P)
ready=.venv/ready

say() { printf 'set-up: %s\n' "$*"; }
fail() {
    printf 'set-up: %s\n' "$@" >&2
    exit 1
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# --- what is there -----------------------------------------------------------------------------------------------

quietly() { "$@" >"$scratch/log" 2>&1; }

new_enough() { quietly "$1" -c 'import sys; raise SystemExit(sys.version_info < (3, 11))'; }

# Sets python to the first interpreter that starts and is new enough: version managers leave stubs that don't.
find_python() {
    if [ -n "${PYTHON:-}" ]; then
        new_enough "$PYTHON" || fail "PYTHON=$PYTHON does not start, or is older than 3.11."
        python=$PYTHON
        return
    fi
    for python in python3.13 python3.12 python3.11 python3; do
        if new_enough "$python"; then return; fi
    done
    python=
}

# The interpreter itself, behind links, version managers' stubs and an active virtual environment.
real_python() { "$python" -c 'import os, sys; print(os.path.realpath(sys._base_executable))'; }

# Debian keeps this half of venv in a package of its own.
has_venv() { "$python" -c 'import ensurepip, venv'; }

# builds INCLUDE... -- FLAG...: does a program that includes these headers compile and link?
builds() {
    : >"$scratch/try.c"
    while [ "$1" != -- ]; do
        printf '#include <%s>\n' "$1" >>"$scratch/try.c"
        shift
    done
    shift
    echo 'int main(void) { return 0; }' >>"$scratch/try.c"
    # CC may hold options, as make has it.
    # shellcheck disable=SC2086
    ${CC:-cc} "$scratch/try.c" -o "$scratch/try" "$@"
}

builds_with() { # builds_with MODULE HEADER...: the same with the flags that pkg-config has for MODULE
    module=$1
    shift
    # shellcheck disable=SC2046
    "${PKG_CONFIG:-pkg-config}" --print-errors --exists "$module" &&
        builds "$@" -- $("${PKG_CONFIG:-pkg-config}" --cflags --libs "$module")
}

has_headers() {
    builds Python.h -- \
        "-I$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')" \
        "-I$("$python" -c 'import sysconfig; print(sysconfig.get_path("platinclude"))')"
}

has_pango() { builds_with pangocairo pango/pangocairo.h && builds_with pangofc pango/pangofc-font.h; }

has_cxx() {
    echo '#include <vector>' >"$scratch/try.cc"
    # shellcheck disable=SC2086
    ${CXX:-c++} -c "$scratch/try.cc" -o "$scratch/try.o"
}

# need WORD COMMAND...: a failing check adds its word to missing and keeps its complaint.
need() {
    word=$1
    shift
    "$@" >"$scratch/$word.log" 2>&1 || missing="${missing:+$missing }$word"
}

# Sets missing to the words for all that is needed and can't be used. Without a compiler no header can be tried;
# those that are there after all a package manager passes over.
look_around() {
    missing=
    find_python
    if [ -z "$python" ]; then
        missing="python venv headers"
    else
        need venv has_venv
        need headers has_headers
    fi
    need compiler builds stdio.h --
    case $(uname -sm) in
        "Linux x86_64" | "Darwin arm64") ;; # moderngl and glcontext come compiled for these only
        *) need c++ has_cxx ;;
    esac
    need pkg-config "${PKG_CONFIG:-pkg-config}" --version
    need cairo builds_with cairo cairo.h
    need pango has_pango
}

# --- what to install ---------------------------------------------------------------------------------------------

family() {
    if [ "$(uname -s)" = Darwin ]; then
        echo macos
    else
        # ID_LIKE names the distribution's parents, so that derivatives are known too.
        case " $(sed -n 's/^ID\(_LIKE\)\{0,1\}=//p' /etc/os-release 2>/dev/null | tr -d '"' | tr '\n' ' ') " in
            *" debian "* | *" ubuntu "*) echo debian ;;
            *" fedora "* | *" rhel "*) echo fedora ;;
            *" arch "*) echo arch ;;
            *suse*) echo suse ;;
            *" alpine "*) echo alpine ;;
            *) echo unknown ;;
        esac
    fi
}

# package FAMILY WORD: that family's packages for one missing thing, for Python x.y in $series.
package() {
    case $1:$2 in
        debian:python) echo "python$series" ;;
        debian:venv) echo "python$series-venv" ;;
        debian:headers) echo "python$series-dev" ;;
        debian:compiler) echo "gcc libc6-dev" ;;
        debian:c++) echo g++ ;;
        debian:cairo) echo libcairo2-dev ;;
        debian:pango) echo libpango1.0-dev ;;
        fedora:python | fedora:venv) echo python3 ;;
        fedora:headers) echo "python3-devel" ;;
        fedora:compiler) echo gcc ;;
        fedora:c++ | suse:c++) echo gcc-c++ ;;
        fedora:pkg-config) echo pkgconf-pkg-config ;;
        fedora:cairo) echo cairo-devel ;;
        fedora:pango) echo pango-devel ;;
        arch:python | arch:venv | arch:headers) echo python ;;
        arch:compiler | arch:c++) echo base-devel ;;
        arch:pkg-config) echo pkgconf ;;
        suse:python | suse:venv) echo "python$(echo "$series" | tr -d .)" ;;
        suse:headers) echo "python$(echo "$series" | tr -d .)-devel" ;;
        suse:compiler) echo gcc ;;
        suse:cairo) echo cairo-devel ;;
        suse:pango) echo pango-devel ;;
        alpine:python | alpine:venv) echo python3 ;;
        alpine:headers) echo python3-dev ;;
        alpine:compiler | alpine:c++) echo build-base ;;
        alpine:pkg-config) echo pkgconf ;;
        alpine:cairo) echo cairo-dev ;;
        alpine:pango) echo pango-dev ;;
        macos:python | macos:venv | macos:headers) echo "python@$series" ;;
        macos:compiler | macos:c++) ;;
        macos:pkg-config) echo pkgconf ;;
        *) echo "$2" ;;
    esac
}

packages() { # packages FAMILY: all of them, each once
    for word in $missing; do package "$1" "$word"; done | tr ' ' '\n' | sort -u | tr '\n' ' ' | sed 's/ $//'
}

# A Python that the system did not install brings its own headers and venv; no system package can add them.
refuse_foreign_python() {
    case " $missing " in
        *" python "*) ;;
        *" venv "* | *" headers "*)
            if ! quietly dpkg -S "$(real_python)"; then
                fail "$(real_python) lacks its venv module or its C headers (Python.h), and no system package adds them." \
                    "Choose another one, for example:  make PYTHON=/usr/bin/python3 setup"
            fi
            ;;
    esac
}

# Sets sudo to what lets this user install packages: nothing for root, or sudo when it can ask for a password or needs none.
find_sudo() {
    sudo=
    if [ "$(id -u)" -eq 0 ]; then return; fi
    if quietly command -v sudo && { [ -t 0 ] || quietly sudo -n true; }; then
        sudo=sudo
        return
    fi
    fail "missing, or not usable: $missing. Only root can install packages here; have root run this, then try again:" \
        "  apt-get update && apt-get install -y $(packages debian)"
}

apt() {
    # A machine that has just started may still be installing its own updates: wait for its lock.
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 "$@"
}

debian_series() { # the newest Python that this release offers and that we know
    for series in 3.13 3.12 3.11; do
        if quietly apt-cache show "python$series-venv"; then return; fi
    done
    fail "this release of the system offers no Python 3.11 or newer. Install one, then:  make PYTHON=/path/to/it setup"
}

install_on_debian() {
    refuse_foreign_python
    find_sudo
    say "installing what is missing with apt-get: $missing"
    # One unreachable third-party list must not stop us; what can't be found is told by the install.
    apt update || say "apt-get update complained; going on with the package lists there are."
    [ -n "$python" ] || debian_series
    # shellcheck disable=SC2046
    apt install -y --no-install-recommends $(packages debian) || fail "apt-get could not install: $(packages debian)"
}

explain() {
    list=$(packages "$1")
    case $1 in
        fedora) how="sudo dnf install $list" ;;
        arch) how="sudo pacman -S --needed $list" ;;
        suse) how="sudo zypper install $list" ;;
        alpine) how="sudo apk add $list" ;;
        macos)
            how=${list:+brew install $list}
            case " $missing " in
                *" compiler "* | *" c++ "*) how="xcode-select --install${how:+ && $how}" ;;
            esac
            ;;
        *) how= ;;
    esac
    if [ -n "$how" ]; then
        fail "missing, or not usable: $missing. Install it, then try again:" "  $how"
    fi
    fail "missing, or not usable: $missing." \
        "Needed: Python 3.11 or newer with venv and its C headers, a C compiler, pkg-config, and the headers of Cairo and Pango."
}

see_to_the_system() {
    look_around
    if [ -z "$missing" ]; then return; fi
    series=3.13
    if [ -n "$python" ]; then series=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])'); fi
    case $(family) in
        debian) install_on_debian ;;
        *) explain "$(family)" ;;
    esac
    look_around
    for word in $missing; do
        fail "$word is installed, but still not usable:" "$(tail -n 3 "$scratch/$word.log" 2>&1)"
    done
}

# --- the virtual environment -------------------------------------------------------------------------------------

# One that was made elsewhere and moved, or whose Python has gone, is made again.
keep_venv() {
    new_enough .venv/bin/python && quietly .venv/bin/python -m pip --version &&
        quietly grep -F "$here/.venv/bin/python" .venv/bin/pip &&
        { [ -z "${PYTHON:-}" ] || [ "$(version "$python")" = "$(version .venv/bin/python)" ]; }
}

version() { "$1" -c 'import sys; print(sys.version)'; }

pip() { .venv/bin/python -m pip "$@" $quiet; }

pip_failed() { fail "pip could not install the locked packages; its message stands above. Then run it again."; }

install_packages() {
    # Build tools run from .venv by name; a user's own pip settings must not send packages elsewhere.
    PATH=$here/.venv/bin:$PATH
    export PATH PIP_USER=0 PIP_DISABLE_PIP_VERSION_CHECK=1
    quiet=
    [ -t 1 ] || quiet=--quiet
    pip install --require-hashes --no-deps -r requirements-build.txt || pip_failed
    pip install --require-hashes --no-deps --no-build-isolation -r requirements.txt || pip_failed
    pip install --no-deps --no-build-isolation -e . || pip_failed
}

rm -f "$ready"
see_to_the_system
if keep_venv; then
    say "using .venv, Python $(.venv/bin/python -c 'import platform; print(platform.python_version())')"
else
    say "making .venv with $(real_python)"
    "$python" -m venv --clear .venv || fail "$python could not make a virtual environment in $here/.venv"
fi
say "installing the locked packages (a few minutes the first time: two of them are compiled)"
install_packages
quietly .venv/bin/python -c 'import av, cairo, manim, manimpango, scipy, typst' ||
    fail "the packages are installed, but don't load:" "$(tail -n 1 "$scratch/log")"
echo "$here" >"$ready.part" && mv "$ready.part" "$ready"
say "ready"
