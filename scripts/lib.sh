# shellcheck shell=bash
# Common to the scripts: the project's own Python environment, where a Debian comes from. Sourced, not run.
set -euo pipefail
unset CDPATH # with it cd prints where it is

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv=${LUCKYPAW_VENV:-$project/.venv}
[[ $venv == /* ]] || venv=$PWD/$venv
# shellcheck disable=SC2034 # used where this is sourced
beside=(-n $((2 * $(nproc))) --dist worksteal) # for pytest: two to a processor, as tests often wait

# What people have set for a Python of their own would change which code runs here, or what it does.
unset PYTHONCASEOK PYTHONDEVMODE PYTHONEXECUTABLE PYTHONHOME PYTHONINSPECT PYTHONOPTIMIZE PYTHONPATH PYTHONPLATLIBDIR \
  PYTHONSTARTUP PYTHONWARNINGS

fail() {
  printf '%s\n' "$@" >&2
  exit 1
}

# Prints a command, then runs it.
run() {
  printf '+ %s\n' "$*"
  "$@"
}

on_a_pi() {
  grep -qsa "Raspberry Pi" /proc/device-tree/model /proc/cpuinfo
}

# The first Python that is new enough.
find_python() {
  local name
  for name in python3 python3.14 python3.13 python3.12 python3.11 /usr/bin/python3; do
    if "$name" -I -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
      echo "$name"
      return
    fi
  done
  fail "Lucky Paw needs Python 3.11 or newer; found: $(python3 --version 2>&1 || echo none)." \
    "On Debian, Ubuntu and Raspberry Pi OS: sudo apt install python3 python3-venv"
}

# prepare EXTRAS: makes the environment if it is missing, and installs the project again if pyproject.toml has changed.
# From then on its Python and its commands come first.
prepare() {
  local stamp=$venv/luckypaw-$1 wanted
  wanted=$(echo "$project" && cat "$project/pyproject.toml")
  if [[ ! -f $stamp || $(<"$stamp") != "$wanted" ]] || ! "$venv/bin/python" -c '' 2>/dev/null; then
    make_venv "$1"
    printf '%s\n' "$wanted" >"$stamp"
  fi
  PATH=$venv/bin:$PATH
}

# Says in a sentence what stands in the way of an environment, before anything is made.
check_place() {
  local python=$1 above=$venv elsewhere="LUCKYPAW_VENV=~/luckypaw-venv scripts/${0##*/}"
  [[ $project != *[$'\n\r']* ]] || fail "$(printf '%q' "$project") has a line feed in it: rename that folder."
  [[ $venv != *[$'\n\r':]* ]] ||
    fail "$(printf '%q' "$venv") has a line feed or a colon in it: rename that folder, or start $elsewhere"
  until [[ -e $above ]]; do above=$(dirname "$above"); done
  [[ -w $above && -x $above ]] ||
    fail "$(id -un) may not write in $above: start $elsewhere"
  "$python" -I "$project/scripts/own_pip.py" check || exit 1
}

make_venv() {
  local extras=$1 python options=() log=$venv/pip.log
  python=$venv/bin/python
  if ! "$python" -I -m pip --version >/dev/null 2>&1; then
    python=$(find_python)
    "$python" -I -c 'import ensurepip' 2>/dev/null ||
      fail "$python cannot make environments. On Debian, Ubuntu and Raspberry Pi OS: sudo apt install python3-venv"
    check_place "$python"
    # For Python 3.13 lgpio comes from Raspberry Pi OS only, not as a wheel.
    if on_a_pi; then options=(--system-site-packages); fi
    echo "Making a Python environment in $venv (once) ..."
    "$python" -I -m venv "${options[@]+"${options[@]}"}" "$venv" || fail "That failed. Remove $venv and start again."
  else
    check_place "$python"
  fi
  echo "Installing Lucky Paw [$extras] into $venv (again only when pyproject.toml changes) ..."
  rm -f "$log"
  # Whoever starts it, wherever: no file of that folder is run.
  if ! PYTHONSAFEPATH=1 PIP_LOG=$log "$venv/bin/python" -I "$project/scripts/own_pip.py" install --quiet \
    --editable "${project}[$extras]"; then
    ! grep -qE '(connection|certificate) (error|broken)|[a-z](Connection|Proxy|SSL|Timeout)Error|timed out' "$log" ||
      fail "That failed; the reason stands above. Is this machine online? Then start again."
    fail "That failed; the reason stands above, and more in $log."
  fi
}

# one_of MODULES WORD...: runs the module of scripts/MODULES*.py that the first word names; the other words are its options.
one_of() {
  local modules=$project/scripts/$1 script=scripts/${0##*/} what=${2:---help} file names=()
  if [[ $what =~ ^[a-z]+$ && -f $modules$what.py ]]; then
    file=scripts/$1$what
    prepare dev
    exec "$venv/bin/python" -P -m "${file//\//.}" "${@:3}"
  fi
  for file in "$modules"[a-z]*.py; do
    file=${file#"$modules"} && names+=("${file%.py}")
  done
  [[ $what == -h || $what == --help ]] || fail "$script $what: must be one of these: ${names[*]}"
  echo "Usage: $script WHAT [OPTION...]; $script WHAT --help has its options. WHAT is one of these:"
  for what in "${names[@]}"; do
    printf '  %-11s %s\n' "$what" "$(sed -n '/^"""/{s/"//gp;q}' "$modules$what.py")"
  done
}

# stale_nightly FILE [DAY]: notes if a row of scripts/nightly, by its table in FILE, ran more than a week before DAY (today).
stale_nightly() {
  local last days
  last=$(sed -n '/<!-- nightly -->/,/<!-- end of nightly -->/s/.* | \([0-9-]\{10\}\) | .*/\1/p' "$1" | sort | head -1)
  if [[ ! $last ]]; then
    echo "Note: scripts/nightly has not run yet, by $1."
    return
  fi
  days=$((($(date -ud "${2:-$(date +%F)}" +%s) - $(date -ud "$last" +%s)) / 86400))
  ((days <= 7)) || echo "Note: a row of scripts/nightly is $days days old, by $1; start it, and commit what it writes there."
}

# debian_sources SUITE: lines for a sources.list: where this machine itself is installed from, but this suite.
debian_sources() {
  # shellcheck disable=SC2016 # for apt-get to expand
  apt-get indextargets --format 'deb $(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' |
    sed -E "s/ [a-z]+(-[a-z]+)? / $1\1 /; / sid-/d" | sort -u | # sid has no updates
    grep . || fail "apt-get update has not been run, or this is no Debian"
}
