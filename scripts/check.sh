#!/usr/bin/env bash
# Everything that is held by a machine: types, lint, format, dependency rules, unused exports, generated files.
set -euo pipefail
cd "$(dirname "$0")/.."

step() { printf '\n== %s\n' "$1"; }

step 'budgets'
node scripts/budgets.js
step 'types'
npx tsc -b
# Two at a time: what reads types, and the rest, whose output is shown when the first are done.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
{
  step 'lint'
  npx oxlint --type-aware --deny-warnings
  step 'format'
  npx prettier --check --log-level warn .
} > "$log" 2>&1 &
others=$!
fits=0
{
  npx tsc -p tsconfig.tests.json &&
    npx tsc -p core/report/page &&
    npx tsc -p track/dashboard/page &&
    step 'dependency rules' &&
    npx depcruise core/*/src track/*/src lab/*/src --config .dependency-cruiser.mjs --output-type err &&
    step 'unused exports' &&
    npx knip
} || fits=1
wait "$others" || fits=1
cat "$log"
[ "$fits" = 0 ] || exit 1
step 'generated files'
if [ -n "$(git status --porcelain)" ]; then before=$(git diff | sha256sum); else before=clean; fi
node scripts/generate.js
if [ "$before" = clean ]; then git diff --exit-code; else [ "$before" = "$(git diff | sha256sum)" ] || { echo 'generated files were out of date; look at git diff' >&2; exit 1; }; fi
echo 'check: all good'
