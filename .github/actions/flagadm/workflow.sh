# shellcheck shell=bash
# What the steps share.

# Escapes a value of a workflow command, so that it stays on one line.
escaped() {
  local text=${1//'%'/%25}
  text=${text//$'\r'/%0D}
  printf '%s' "${text//$'\n'/%0A}"
}

# An annotation of the run: its kind and its text.
annotate() {
  printf '::%s title=flagadm::%s\n' "$1" "$(escaped "$2")"
}

fail() {
  annotate error "$1"
  exit 2
}

set_output() {
  printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"
}

# Copies whole lines of stdin. After the first $1 bytes, it writes the note $2 instead of the rest.
limited() {
  LC_ALL=C awk -v most="$1" -v note="$2" '
    (size += length($0) + 1) > most { printf "\n%s\n", note; exit }
    { print }
  '
}

run_url() {
  printf '%s/%s/actions/runs/%s' "$GITHUB_SERVER_URL" "$GITHUB_REPOSITORY" "$GITHUB_RUN_ID"
}
