#!/usr/bin/env bash
# Finds or installs flagadm, and sets the output `program` to the file that Node.js runs.
set -euo pipefail
# shellcheck source=workflow.sh
source "${BASH_SOURCE[0]%/*}/workflow.sh"

quiet=(--ignore-scripts --no-audit --no-fund --loglevel=error)

# Builds flagadm in the current folder, unless an earlier step has done that.
build() {
  [[ ! -f dist/cli.js ]] || return 0
  npm ci --include=dev "${quiet[@]}"
  npm run build --silent
}

major=$(node -p 'process.versions.node.split(".")[0]') || fail 'Node.js not found: use actions/setup-node before this step'
((major >= 20)) || fail "flagadm needs Node.js 20 or newer, not $major: use actions/setup-node before this step"

case $INPUT_VERSION in
  '')
    folder=$(cd "$GITHUB_ACTION_PATH/../../.." && pwd)
    (cd "$folder" && build)
    ;;
  project)
    folder=$(cd "$INPUT_WORKING_DIRECTORY" && pwd)/node_modules/flagadm
    [[ -d $folder ]] || fail "flagadm is not in node_modules: run 'npm ci' before this step"
    ;;
  *)
    [[ $INPUT_VERSION =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]] ||
      fail "version: expected a full version such as 1.2.3, or project, not '$INPUT_VERSION'"
    prefix=$RUNNER_TEMP/flagadm-$INPUT_VERSION
    folder=$prefix/node_modules/flagadm
    # An empty folder has no .npmrc that could name another registry.
    [[ -d $folder ]] || npm install --prefix "$prefix" "${quiet[@]}" "flagadm@$INPUT_VERSION"
    ;;
esac
set_output program "$folder/bin/flagadm.js"
