#!/usr/bin/env bash
# Writes the report as a comment on the pull request, or edits the comment of an earlier run.
set -euo pipefail
# shellcheck source=workflow.sh
source "${BASH_SOURCE[0]%/*}/workflow.sh"

# GitHub accepts 65,536 characters; this leaves room for the last lines.
MAX_COMMENT=64000

body=$RUNNER_TEMP/flagadm-comment.md
errors=$RUNNER_TEMP/flagadm-comment-errors
issues=repos/$GITHUB_REPOSITORY/issues
IFS= read -r marker <"$REPORT"

write_body() {
  limited "$MAX_COMMENT" "**Truncated: the full text is in the [summary of the run]($(run_url)).**" <"$REPORT"
  printf '\nFor commit %s, from [this run](%s).\n' "$HEAD_COMMIT" "$(run_url)"
}

# Finds our comments: those that start with the marker and have our author, because anyone could copy the marker.
find_comments() {
  local author
  author=$(gh api graphql --raw-field 'query={viewer{login}}' --jq .data.viewer.login) || return
  AUTHOR=$author MARKER=$marker gh api --paginate "$issues/$PULL_REQUEST/comments?per_page=100" \
    --jq '.[] | select(.user.login == env.AUTHOR and (.body | startswith(env.MARKER))) | .id'
}

# Prints the address of the comment. A report with nothing to show has one line, and does not create a comment.
write_comment() {
  local found
  found=$(find_comments) || return
  if [[ -n $found ]]; then
    gh api --method PATCH "$issues/comments/${found%%$'\n'*}" --field "body=@$body" --jq .html_url
  elif (($(wc -l <"$REPORT") > 2)); then
    gh api --method POST "$issues/$PULL_REQUEST/comments" --field "body=@$body" --jq .html_url
  fi
}

if ! command -v gh >/dev/null; then
  annotate warning 'the report was not posted as a comment, because gh (the GitHub CLI) is not installed on this runner'
  exit
fi
# For GitHub Enterprise Server.
export GH_HOST=${GITHUB_SERVER_URL#*://} GH_ENTERPRISE_TOKEN=$GH_TOKEN

write_body >"$body"
if url=$(write_comment 2>"$errors"); then
  set_output comment-url "$url"
elif grep -q 'HTTP 403' "$errors"; then
  annotate warning "the report was not posted as a comment, because the token may not write comments. Pull requests from forks get a \
read-only token; others need the permission pull-requests: write. $(<"$errors")"
else
  fail "the report was not posted as a comment: $(<"$errors")"
fi
