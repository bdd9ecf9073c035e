# shellcheck shell=bash disable=SC2034 # what it sets is used by those that source it
# Common to install and uninstall: the paths of an installed kit. Sourced, not run.
set -euo pipefail

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
home=/opt/luckypaw
current=$home/current              # a link to the release that runs: switched in one step
releases=$home/releases
incoming=$home/incoming            # the copy of a folder for the card, while it is installed
added=$home/added                  # what install has added outside its own folders, a line each
command=/usr/local/bin/luckypaw
unit=/etc/systemd/system/luckypaw.service
wants=/etc/systemd/system/multi-user.target.wants
wanted=$wants/luckypaw.service
rules=/etc/udev/rules.d/70-luckypaw.rules     # between what it asks for, 60-serial.rules, and who heeds it, 77-mm-*.rules
rules_before=/etc/udev/rules.d/60-luckypaw.rules # of versions before 0.2
modules=/etc/modules-load.d/luckypaw.conf
kit=/etc/luckypaw/kit.toml
given_kit=$home/kit.toml           # the description as a folder for the card brought it
kit_before=$home/before           # the description as it was before a version that is tried
trial=$home/trial                  # while it is not known whether the current release starts: the one before it, or nothing
judge=$home/judge                  # a link to the release whose systemd/trial finds that out: the last one that got ready
trial_unit=/etc/systemd/system/luckypaw-trial.service
trial_wanted=$wants/luckypaw-trial.service
phones=/etc/systemd/system/luckypaw.service.d/phones.conf
answers=/etc/NetworkManager/dnsmasq-shared.d/luckypaw.conf # a copy made by systemd/phones
state=/var/lib/luckypaw            # the service's user owns it: root trusts nothing in it, not even file types
user=luckypaw
longest_kit=32768                  # bytes, the program's limit of a description
boot_config=/boot/firmware/config.txt
bundle=$project/wheels             # all wheels that an installation needs; where it is missing they come from the network
begins="# Lucky Paw begins: the display's bus, at 400 kHz"
ends="# Lucky Paw ends"
i2c="dtparam=i2c_arm=on,i2c_arm_baudrate=400000"
spi="$i2c,spi=on"

say() { printf '%s\n' "$*"; }

fail() {
  printf '%s\n' "$@" >&2
  exit 1
}

# gone_back TEXT ...: as fail, where the new version is not sound or does not start.
gone_back() {
  printf '%s\n' "$@" >&2
  exit 3
}

# Ends unless run by root.
need_root() { ((EUID == 0)) || fail "$1 changes the machine: sudo $1"; }

# Whether systemd runs here; in an image under construction it does not.
systemd_runs() { [[ -d /run/systemd/system ]]; }

# The network in which the kit's description lets phones in: lan, hotspot or nothing.
network() { "$project/systemd/phones" network | sed '/^off$/d'; }

# version: what this folder installs; a bundle's has no source, but a line that was written where it was made.
version() { if [[ -f $bundle/version ]]; then cat "$bundle/version"; else version_of_source; fi; }

# version_of_source: its number and a hash of all that decides what is installed.
version_of_source() {
  local sources=(engine firmware hardware systemd scripts/install scripts/appliance.sh pyproject.toml README.md LICENSE
    requirements.txt requirements-build.txt)
  printf '%s %s\n' "$(sed -n 's/^VERSION = "\(.*\)"$/\1/p' "$project/firmware/__init__.py")" "$(cd "$project" &&
    find "${sources[@]}" -type f -not -path '*/__pycache__/*' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | head -c 64)"
}

# make_wheels FOLDER: fetch the wheels of the lock that fit this machine, and make the program's own.
make_wheels() {
  local tools=$1/tools pip
  python3 -m venv "$tools" || return
  pip=("$tools/bin/python" -I "$project/scripts/own_pip.py" --quiet --no-cache-dir)
  "${pip[@]}" download --require-hashes --only-binary :all: --dest "$1" \
    --requirement "$project/requirements.txt" --requirement "$project/requirements-build.txt" &&
    "${pip[@]}" install --require-hashes --no-index --find-links "$1" --requirement "$project/requirements-build.txt" &&
    "${pip[@]}" wheel --no-deps --no-build-isolation --wheel-dir "$1" "$project" || return
  rm -rf "$tools"
}

# build FOLDER WHEELS: the program in a folder of its own. The same wheels make the same files, byte for byte.
build() {
  local pip=("$2"/pip-*.whl) program version sum
  read -r version _ < <(version) # beside it may lie the wheel of an older folder
  program=("$2"/luckypaw-"$version"-*.whl)
  sum=$(sha256sum <"${program[0]}" | head -c 64)
  # The image's own packages are seen as well: lgpio and spidev have no wheels for each Python.
  python3 -m venv --without-pip --system-site-packages "$1" || return
  # once: from its wheel pip takes as long to start as to install
  printf '%s\n' "luckypaw==$version --hash=sha256:$sum" | cat "$project/requirements.txt" - |
    PYTHONPATH=${pip[0]} PIP_CONFIG_FILE=/dev/null "$1/bin/python" -m pip --isolated --quiet --disable-pip-version-check \
      --no-input --no-cache-dir install --no-index --find-links "$2" --ignore-installed --no-compile --no-deps \
      --require-hashes --requirement /dev/stdin &&
    "$1/bin/python" -m compileall -q -j 0 --invalidation-mode unchecked-hash "$1/lib"
}

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

# give_kit: the description for a kit that has none: its own old one, the folder's, the Table's. A folder for the card
# that brings another one replaces that of the last folder, unless somebody has changed it.
give_kit() {
  local brought=$project/kit.toml
  install -d -m 755 "${kit%/*}"
  if [[ ! -e $kit ]] && ! take_kit; then
    if [[ -f $brought ]]; then place_kit "$brought"; else place_kit "$project/hardware/kits/table.toml"; fi
  elif [[ -f $brought ]] && cmp -s "$kit" "$given_kit"; then
    place_kit "$brought"
  fi
  if [[ -f $brought ]]; then install -m 644 "$brought" "$given_kit"; fi
}

# note_kit: keep the description as it is before a new version brings another one; systemd/trial puts it back.
note_kit() {
  rm -rf "$kit_before"
  if [[ -e $kit && -e $given_kit ]]; then
    mkdir "$kit_before"
    cp "$kit" "$kit_before/kit"
    cp "$given_kit" "$kit_before/given"
  fi
}

# place_kit FILE: use a copy of this description from now on.
place_kit() {
  local new=$kit.luckypaw-new
  install -m 644 "$1" "$new"
  sync "$new"
  mv -T "$new" "$kit"
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

# has_block: whether install has added its lines to config.txt, or has begun to.
has_block() { tr -d '\r' <"$boot_config" | grep -xF "$begins" >/dev/null; }

# wired: what config.txt must have for the description that is in force: the line of its buzzer, or -, and the display's
# bus. Where the description cannot be used, what config.txt has now.
wired() {
  local file pin
  for file in "${boot_config%/*}/luckypaw.toml" "${boot_config%/*}/luckypaw.toml.txt" "$kit" "$project/hardware/kits/table.toml"; do
    [[ -f $file ]] || continue
    python3 -I -c '
import sys, tomllib
kit = tomllib.loads(open(sys.argv[1], "rb").read().decode("utf-8-sig"))
pin = {12: 12, 13: 13, 18: 18, 19: 19}[kit["buzzer"]["pin"]] if "buzzer" in kit else "-"
print(pin, "spi" if kit.get("display", {}).get("bus") == "spi" else "i2c")' "$file" 2>/dev/null || {
      pin=$(sed -n 's/^dtoverlay=pwm,pin=\(1[2389]\),func=[24]\r*$/\1/p' "$boot_config")
      say "${pin:--} $(grep -q "^$spi" "$boot_config" && say spi || say i2c)"
    }
    return
  done
}

# block [PIN [BUS]]: the lines of install: the display's bus, and the PWM of a buzzer on this line.
block() {
  printf '%s\n' "$begins" "[all]"
  if [[ ${2:-} == spi ]]; then say "$spi"; else say "$i2c"; fi
  case ${1:-} in
  12 | 13) printf '%s\n' "dtoverlay=pwm,pin=$1,func=4" "dtoverlay=" ;; # the second one: what follows is not of the overlay
  18 | 19) printf '%s\n' "dtoverlay=pwm,pin=$1,func=2" "dtoverlay=" ;;
  esac
  printf '%s\n' "$ends"
}

# config_with BLOCK: config.txt with these lines in the place of those of install, with Windows line ends if it has them.
# Where their end is missing they were cut off: then they reach as far as they follow each other in their order. What else
# is among them is not ours, and stays.
config_with() {
  local pin
  for pin in 12 13 18 19; do block "$pin" i2c && block "$pin" spi; done | LC_ALL=C new=$1 awk -v begins="$begins" -v ends="$ends" '
    function put(lines) {
      lines = ENVIRON["new"]
      gsub(/\n/, cr "\n", lines)
      if (lines != "" && !done) print lines cr
      done = 1
    }
    function cut(part, whole) { return part != "" && part != whole && index(whole, part) == 1 }
    function half(part, whole) {
      if (cut(part, ends)) return 1
      for (whole in order) if (cut(part, whole)) return 1
    }
    FNR == NR { if (/^#/) rank = 0; else order[$0] = ++rank; next }
    FNR == 1 && /\r$/ { cr = "\r" }
    { text[++count] = $0; sub(/\r$/, ""); line[count] = $0 }
    END {
      for (n = 1; n <= count; n++) {
        if (line[n] == begins) {
          for (last = n + 1; last <= count && line[last] != begins && line[last] != ends; last++);
          inside = 1; whole = line[last] == ends; before = 0
          put()
        } else if (line[n] == ends) inside = 0
        else if (inside && line[n] in order && (whole || order[line[n]] > before)) before = order[line[n]]
        else if (n < count || !(inside ? half(line[n]) : line[n] ~ /^# Lucky Paw b/ && cut(line[n], begins))) {
          if (!whole) inside = 0
          print text[n] (n == count && text[n] !~ /\r$/ ? cr : "")
        }
      }
      put()
    }' - "$boot_config"
}

with_block() { config_with "$(block "$@")"; }
without_block() { config_with ""; }

# config_is COMMAND...: whether config.txt is what this makes of it.
config_is() { "$@" | cmp --quiet - "$boot_config"; }

# change_config COMMAND...: replace config.txt by what this makes of it, and keep it as it was before the first change. FAT has
# no step that happens as a whole. So the new text is on the disk, and is read again from there, before it gets the name;
# and it has the name before the place of the old one is free. After a cut two names may have one place, until fsck has
# been there: so a file that is left over is neither written nor removed.
change_config() {
  local made new kept=$boot_config.luckypaw-before
  made=$(mktemp)
  new=$(mktemp -u "$boot_config.XXXXXX")
  if "$@" >"$made" &&
    { [[ -e $kept ]] || { put "$boot_config" "$new" && mv -T "$new" "$kept" && sync -f "$kept"; }; } &&
    put "$made" "$new" && exec 8<"$boot_config" && mv -T "$new" "$boot_config" && sync -f "$boot_config" && exec 8<&- &&
    sync -f "$boot_config" && is_on_disk "$made" "$boot_config"; then
    rm -f "$made"
    return
  fi
  rm -f "$made" "$new"
  fail "$boot_config could not be changed; the reason stands above."
}

# put FROM TO: a copy that is on the disk.
put() { cat "$1" >"$2" && sync "$2" && is_on_disk "$1" "$2"; }

# is_on_disk TEXT FILE: whether the file has this text where it is read from the disk, not from memory.
is_on_disk() { dd if="$2" iflag=nocache count=0 status=none && cmp "$1" "$2"; }
