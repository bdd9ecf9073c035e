# shellcheck shell=bash disable=SC2034 # what it sets is used by those that source it
# Common to install and uninstall: the paths of an installed kit. Sourced, not run.
set -euo pipefail

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
home=/opt/luckypaw
current=$home/current              # a link to the release that runs: switched in one step
releases=$home/releases
added=$home/added                  # what install has added outside its own folders, a line each
command=/usr/local/bin/luckypaw
unit=/etc/systemd/system/luckypaw.service
wanted=/etc/systemd/system/multi-user.target.wants/luckypaw.service
rules=/etc/udev/rules.d/60-luckypaw.rules
modules=/etc/modules-load.d/luckypaw.conf
kit=/etc/luckypaw/kit.toml
boot_kit=/boot/firmware/luckypaw.toml # before the other
phones=/etc/systemd/system/luckypaw.service.d/phones.conf
state=/var/lib/luckypaw            # the service's user owns it: root trusts nothing in it, not even file types
user=luckypaw
longest_kit=32768                  # bytes, the program's limit of a description
boot_config=/boot/firmware/config.txt
begins="# Lucky Paw begins: the display's bus, at 400 kHz"
ends="# Lucky Paw ends"

say() { printf '%s\n' "$*"; }

fail() {
  printf '%s\n' "$@" >&2
  exit 1
}

# Ends unless run by root.
need_root() { ((EUID == 0)) || fail "$1 changes the machine: sudo $1"; }

# Whether systemd runs here; in an image under construction it does not.
systemd_runs() { [[ -d /run/systemd/system ]]; }

# Whether a description of the kit lets phones in.
let_phones_in() { grep -Eqs '^[[:space:]]*network[[:space:]]*=[[:space:]]*"lan"' "$boot_kit" "$kit"; }

# as_kit COMMAND ...: with the rights of the service's user and no others.
as_kit() { setpriv --reuid="$user" --regid="$(id -g "$user")" --init-groups -- "$@"; }

# give_state: the games' folder to the service's user. Links, hard ones too, may lead to files that are not ours.
give_state() {
  mkdir -p "$state"
  find "$state" -xdev ! -user "$user" \( -type d -o -type f -links 1 \) -execdir chown -h "$user:" {} \;
}

# keep_kit: move the description to the games, which belong to root by now.
keep_kit() {
  install -d -m 755 "$state"
  rm -rf "${state:?}/kit.toml"
  mv -T "$kit" "$state/kit.toml"
}

# take_kit: use the description that was kept with the games; false where there is none. It must be a plain file that the
# service's user may read: anything else may lead anywhere, never end, or block for ever.
take_kit() {
  local from=$state/kit.toml new=$kit.luckypaw-new
  if as_kit test -f "$from" && ! as_kit test -L "$from" &&
    as_kit dd if="$from" iflag=nofollow,nonblock,fullblock bs=$((longest_kit + 1)) count=1 status=none >"$new" &&
    [[ -s $new && $(stat --format=%s "$new") -le $longest_kit ]]; then
    chmod 644 "$new"
    mv -T "$new" "$kit"
    as_kit rm -f "$from"
    return
  fi
  rm -f "$new"
  if [[ -e $from || -L $from ]]; then say "$from is no description that can be used; it stays where it is."; fi
  return 1
}

# has_block FILE: whether install has added its lines, also with Windows line ends.
has_block() { tr -d '\r' <"$1" | grep -xF "$begins" >/dev/null; }

# without_block FILE: its lines except those that install has added.
without_block() {
  awk -v begins="$begins" -v ends="$ends" \
    '{ line = $0; sub(/\r$/, "", line) } line == begins { inside = 1 } !inside { print } line == ends { inside = 0 }' "$1"
}

# with_block FILE: its lines, followed by those of install.
with_block() {
  sed '$a\' "$1" # its last line may lack its end
  printf '%s\n' "$begins" "[all]" "dtparam=i2c_arm=on,i2c_arm_baudrate=400000" "$ends"
}

# rewrite FILE: replace its content by standard input in one step.
rewrite() {
  local new=$1.luckypaw-new
  if cat >"$new" && sync "$new" && mv -T "$new" "$1"; then return; fi
  rm -f "$new"
  fail "$1 could not be changed; the reason stands above."
}
