#!/usr/bin/env bash
# Runs flagadm as the inputs specify. Sets outputs, and adds the report or the result to the summary of the run.
set -euo pipefail
# shellcheck source=workflow.sh
source "${BASH_SOURCE[0]%/*}/workflow.sh"

# GitHub accepts 1 MiB.
MAX_SUMMARY=1000000

folder=$(mktemp -d "$RUNNER_TEMP/flagadm.XXXXXX")
output=$folder/output
errors=$folder/errors
report=$folder/report.md
before=$folder/before.yaml

# Adds an option, unless its value is empty. After =, a dash at the start of a value is data.
option() {
  [[ -z $2 ]] || arguments+=("$1=$2")
}

# Adds an argument for each line, with a prefix.
each_line() {
  local line
  while IFS= read -r line || [[ -n $line ]]; do
    [[ -z $line ]] || arguments+=("$1$line")
  done <<<"$2"
}

require_boolean() {
  [[ $2 == true || $2 == false ]] || fail "$1: expected true or false, not '$2'"
}

# A pull request must not apply itself.
require_default_branch() {
  [[ $INPUT_ANY_BRANCH == false ]] || return 0
  [[ $GITHUB_EVENT_NAME == push || $GITHUB_EVENT_NAME == workflow_dispatch ]] ||
    fail "apply does not run on $GITHUB_EVENT_NAME: use push or workflow_dispatch, or set any-branch to true"
  [[ $GITHUB_REF == "refs/heads/$DEFAULT_BRANCH" ]] ||
    fail "apply runs only on the default branch '$DEFAULT_BRANCH', not on $GITHUB_REF: set any-branch to true to allow this"
}

set_connection() {
  [[ -z $INPUT_BASE_URL ]] || export FLAGADM_BASE_URL=$INPUT_BASE_URL
  [[ -z $INPUT_API_KEY ]] || export FLAGADM_API_KEY=$INPUT_API_KEY
  [[ -z ${FLAGADM_API_KEY:-} ]] || printf '::add-mask::%s\n' "$(escaped "$FLAGADM_API_KEY")"
}

# An indented block: unlike with a fence, its text cannot end it.
code_block() {
  printf '\n'
  sed 's/^/    /' "$1"
  printf '\n'
}

# What flagadm wrote to stderr, if it failed.
failure() {
  ((code == 0)) || {
    printf '**Exit code %s**\n' "$code"
    code_block "$errors"
  }
}

# Marks a report, so that its comment is found again: one for each command, service and list of files.
marker() {
  local key
  key=$(
    printf '%s\n' "${FLAGADM_BASE_URL:-}" "${FLAGADM_PROFILE:-}" "$INPUT_WORKING_DIRECTORY" "$INPUT_FILES" "$INPUT_SCAN" \
      "$INPUT_PROJECT" | sed '/^$/d' | cksum
  )
  printf '<!-- flagadm %s %s -->\n' "$INPUT_COMMAND" "${key/ /-}"
}

plan_report() {
  marker
  failure
  cat "$output"
}

removed_report() {
  marker
  if ((code == 0)) && [[ ! -s $output ]]; then
    printf 'No flags were removed.\n'
    return
  fi
  printf '**Flags that the code no longer uses**\n\n'
  failure
  cat "$output"
}

apply_report() {
  failure
  code_block "$output"
  [[ -f $before ]] || return 0
  printf '<details><summary>Previous settings</summary>\n'
  code_block "$before"
  printf '</details>\n'
}

summarize() {
  limited "$MAX_SUMMARY" '**Truncated: the full text is in the log of the job.**' >>"$GITHUB_STEP_SUMMARY"
}

# The number of changed projects, from a line $1 that matches $2. An incomplete result has no such line.
set_changed() {
  [[ ! $1 =~ $2 ]] || set_output changed "${BASH_REMATCH[1]}"
}

require_boolean comment "$INPUT_COMMENT"
require_boolean fail-on-change "$INPUT_FAIL_ON_CHANGE"
require_boolean any-branch "$INPUT_ANY_BRANCH"

cd "$INPUT_WORKING_DIRECTORY" || fail "working-directory: no folder '$INPUT_WORKING_DIRECTORY'"

case $INPUT_COMMAND in
  lint | check) arguments=(naming "$INPUT_COMMAND" --output=github) ;;
  plan) arguments=(project settings plan --output=markdown) ;;
  apply)
    require_default_branch
    arguments=(project settings apply --yes "--save-before=$before")
    ;;
  removed)
    revision=${INPUT_REMOVED_SINCE:-${GITHUB_BASE_REF:+origin/$GITHUB_BASE_REF}}
    [[ -n $revision ]] || fail 'removed: set removed-since, because this run is not for a pull request'
    arguments=(feature usage "--removed-since=$revision" --output=markdown)
    [[ -n $INPUT_PROJECT ]] || arguments+=(--all-projects)
    ;;
  *) fail "unknown command '$INPUT_COMMAND': use lint, check, plan, apply or removed" ;;
esac
option --rule "$INPUT_RULE"
each_line --scan= "$INPUT_SCAN"
option --names-from "$INPUT_NAMES_FROM"
option --allow "$INPUT_ALLOW"
option --project "$INPUT_PROJECT"
each_line --file= "$INPUT_FILES"
[[ $INPUT_FAIL_ON_CHANGE == false ]] || arguments+=(--fail-on-change)
each_line '' "$INPUT_ARGUMENTS"
set_connection

code=0
node "$PROGRAM" "${arguments[@]}" 2>"$errors" | tee "$output" || code=${PIPESTATUS[0]}
cat "$errors" >&2
set_output exit-code "$code"
kind=error status=$code
# Names that are not flags, or could not be read, are in the report. They do not fail a pull request that removes them.
[[ $INPUT_COMMAND != removed || ! $code =~ ^(6|10)$ ]] || kind=warning status=0
((code == 0)) || annotate "$kind" "$(sed -E '/^(note|warning): /d; s/^error: //' "$errors")"

case $INPUT_COMMAND in
  check)
    # How many lookups could not be read.
    sed -nE 's/^::[a-z]+ title=unresolved::(.*)$/flagadm: \1/p' "$output" | summarize
    ;;
  plan)
    plan_report >"$report"
    summarize <"$report"
    set_output report "$report"
    set_changed "$(head -n 1 "$output")" '^\*\*Plan for .*\*\*: ([0-9]+) (would change|changed), '
    ;;
  removed)
    removed_report >"$report"
    summarize <"$report"
    set_output report "$report"
    ;;
  apply)
    apply_report >"$report"
    summarize <"$report"
    [[ ! -f $before ]] || set_output before "$before"
    set_changed "$(grep -E '^[0-9]+ projects?: [0-9]+ changed, ' "$output" | tail -n 1)" '^[0-9]+ projects?: ([0-9]+) changed, '
    ;;
esac
exit "$status"
