# shellcheck shell=bash disable=SC2034 # what it sets is used by those that source it
# What install and uninstall share: the places that an installed kit takes on a machine. Sourced, not run.
set -euo pipefail

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
home=/opt/luckypaw
current=$home/current              # a link to the release that runs: switched in one step
releases=$home/releases
added=$home/added                  # what install has put on the machine outside its own places, a line each
command=/usr/local/bin/luckypaw
unit=/etc/systemd/system/luckypaw.service
wanted=/etc/systemd/system/multi-user.target.wants/luckypaw.service
rules=/etc/udev/rules.d/60-luckypaw.rules
modules=/etc/modules-load.d/luckypaw.conf
kit=/etc/luckypaw/kit.toml
state=/var/lib/luckypaw
boot_config=/boot/firmware/config.txt
begins="# Lucky Paw begins: the display's bus, at 400 kHz"
ends="# Lucky Paw ends"

say() { printf '%s\n' "$*"; }

fail() {
  printf '%s\n' "$@" >&2
  exit 1
}

# Only root may put things where all users find them.
need_root() { ((EUID == 0)) || fail "$1 changes the machine: sudo $1"; }

# Whether systemd runs here; in an image that is being made it does not.
systemd_runs() { [[ -d /run/systemd/system ]]; }

# without_block FILE: its lines but those that install has added.
without_block() {
  awk -v begins="$begins" -v ends="$ends" '$0 == begins { inside = 1 } !inside { print } $0 == ends { inside = 0 }' "$1"
}

# rewrite FILE: its new content comes from standard input and takes its place in one step.
rewrite() {
  cat >"$1.luckypaw-new"
  sync "$1.luckypaw-new"
  mv "$1.luckypaw-new" "$1"
}
