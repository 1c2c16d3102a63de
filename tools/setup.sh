#!/usr/bin/env bash
# Brings everything that the project needs into .venv and onto the machine: uv, the locked
# environment, a Chromium, and fonts for captured websites and for messages drawn as images
# (synthetic websites bring their own).
# Safe to run again; does nothing when nothing has changed.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'setup: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"
    elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then sudo "$@"
    else return 1
    fi
}

apt_updated=
apt_install() {
    command -v apt-get >/dev/null || return 1
    if [ -z "$apt_updated" ]; then
        as_root apt-get update -qq >&2 || return 1
        apt_updated=1
    fi
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "$@" >&2
}

is_ubuntu() { grep -qs '^ID=ubuntu' /etc/os-release; }

# --- Python 3.11 or 3.12 ---------------------------------------------------------------
python=
find_python() {
    for candidate in python3.12 python3.11 python3; do
        if command -v "$candidate" >/dev/null && "$candidate" -c \
            'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 12))' 2>/dev/null; then
            python=$(command -v "$candidate")
            return 0
        fi
    done
    return 1
}
find_python || { say "installing Python"; apt_install python3 python3-venv ca-certificates || true; }
find_python || say "no Python 3.11 or 3.12 here; uv will try to bring one"

# --- uv --------------------------------------------------------------------------------
uv=$(command -v uv || true)
if [ -z "$uv" ]; then
    uv=.cache/uv/bin/uv
    if [ ! -x "$uv" ]; then
        [ -n "$python" ] || fail "uv needs Python 3.11 or 3.12 to be installed with pip"
        say "installing uv with pip"
        "$python" -m venv .cache/uv 2>/dev/null || {
            apt_install python3-venv || fail "python3 -m venv does not work; install python3-venv"
            rm -rf .cache/uv
            "$python" -m venv .cache/uv
        }
        .cache/uv/bin/python -m pip install --quiet --disable-pip-version-check uv
    fi
fi

# --- the environment -------------------------------------------------------------------
hash_of() { if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi; }
wanted=$(cat requirements-dev.txt pyproject.toml | hash_of | cut -c1-64)
if [ "$(cat .venv/.ready 2>/dev/null)" != "$wanted" ]; then
    say "making the environment in .venv"
    [ -x .venv/bin/python ] || "$uv" venv --quiet --python "${python:-3.12}" .venv
    "$uv" pip sync --quiet --python .venv/bin/python requirements-dev.txt
    "$uv" pip install --quiet --python .venv/bin/python --no-deps --editable .
    printf '%s' "$wanted" > .venv/.ready
fi

# --- a browser -------------------------------------------------------------------------
has() { .venv/bin/riskchain doctor --only "$1" >/dev/null 2>&1; }

if ! has browser; then
    say "no browser found; trying Playwright's own (at most 60 s)"
    timeout 60 .venv/bin/playwright install chromium >/dev/null 2>&1 || true
fi
if ! has browser && ! is_ubuntu; then
    say "installing Chromium from the distribution's packages"
    apt_install chromium-headless-shell || apt_install chromium || true
fi
has browser || { .venv/bin/riskchain doctor --only browser >&2 || true; fail "no browser could be had"; }

# --- fonts -----------------------------------------------------------------------------
lacks_fonts() { .venv/bin/riskchain doctor --only fonts 2>/dev/null | grep -q '^warning'; }

if lacks_fonts; then
    say "installing fonts"
    apt_install fontconfig fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji || true
fi
if lacks_fonts; then .venv/bin/riskchain doctor --only fonts >&2; fi
say "ready: .venv/bin/riskchain"
