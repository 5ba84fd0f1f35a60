#!/usr/bin/env bash
# compare.sh: `deadheat git` for a pipeline, by what stands in the environment. Ends with the exit code of deadheat.
#
#   INPUT_COMMAND   what is run on both sides, a shell command line; empty = deadheat.yaml says it
#   INPUT_BASE      side A parts from it; empty = the target of the pull or merge request, or the commit before
#   INPUT_HEAD      side B (default: HEAD)
#   INPUT_MARGIN    differences up to this do not matter, such as 1%
#   INPUT_SETUP     builds a side, a shell command line
#   INPUT_CONTROL   true: A is also measured against itself
#   INPUT_FAIL_ON   slower (default), faster, changed or METRIC>SHARE: exit 1 when something is, 6 when it was not measured; never: neither
#   INPUT_UNDECIDED  pass or a share such as 5%: lets pass what was not measured well enough
#   INPUT_BENCHMARKS  names of benchmarks in deadheat.yaml, one a line, * stands for any text; empty = all
#   INPUT_OPTIONS   further options of `deadheat git`, in words as a shell would read them, without expansions
#   INPUT_OUTPUT    folder for summary.md, report.json, junit.xml and recording/ (default: ./deadheat-result)
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=${DEADHEAT_PROGRAM:-$here/../.installed/node_modules/deadheat/bin/deadheat.js}
[ -f "$program" ] || program=$here/../core/cli/bin/deadheat.js
out=${INPUT_OUTPUT:-deadheat-result}
head=${INPUT_HEAD:-HEAD}

say() { printf 'deadheat: %s\n' "$1" >&2; }

base_of_request() {
  if [ -n "${INPUT_BASE:-}" ]; then echo "$INPUT_BASE"
  elif [ -n "${GITHUB_BASE_REF:-}" ]; then echo "origin/$GITHUB_BASE_REF"
  elif [ -n "${CI_MERGE_REQUEST_DIFF_BASE_SHA:-}" ]; then echo "$CI_MERGE_REQUEST_DIFF_BASE_SHA"
  # What a push replaced; zeros where the branch is new.
  elif [[ "${PUSHED_OVER:-}" =~ [1-9a-f] ]]; then echo "$PUSHED_OVER"
  else echo "$head^"
  fi
}

mkdir -p "$out"
out=$(cd "$out" && pwd)
log=$out/log.txt
rm -rf "$out/recording" "$out/summary.md" "$out/report.json" "$out/junit.xml"

# What deadheat could not tell because it did not get that far.
report_failure() {
  {
    printf '## deadheat: no result\n\nIt ended with exit code %s, and said:\n\n' "$1"
    # Indented lines are code, whatever stands in them.
    tail -n 40 "$log" | LC_ALL=C tr -d '\000-\010\013-\037' | cut -c 1-300 | sed 's/^/    /'
  } > "$out/summary.md"
  if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
    cat "$out/summary.md" >> "$GITHUB_STEP_SUMMARY" || say 'the summary of the job cannot be written'
  fi
}

base=$(base_of_request)
: > "$log"
if ! base=$(bash "$here/fetch-base.sh" "$base" "$head" 2> "$log"); then
  cat "$log" >&2
  report_failure 2
  exit 2
fi

words=()
if [ -n "${INPUT_SETUP:-}" ]; then words+=(--build "$INPUT_SETUP"); fi
if [ -n "${INPUT_MARGIN:-}" ]; then words+=(--margin "$INPUT_MARGIN"); fi
if [ "${INPUT_CONTROL:-false}" = true ]; then words+=(--control); fi
if [ "${INPUT_FAIL_ON:-slower}" != never ]; then
  words+=(--fail-on "${INPUT_FAIL_ON:-slower}")
  if [ -n "${INPUT_UNDECIDED:-}" ]; then words+=(--undecided "$INPUT_UNDECIDED"); fi
fi
while IFS= read -r name; do
  if [ -n "$name" ]; then words+=(--filter "$name"); fi
done <<< "${INPUT_BENCHMARKS:-}"
further=$(printf '%s' "${INPUT_OPTIONS:-}" | tr '\n' ' ' | xargs -r -n 1 printf '%s\n') || {
  say 'options cannot be read as words: a quote is not closed'
  exit 2
}
while IFS= read -r word; do
  if [ -n "$word" ]; then words+=("$word"); fi
done <<< "$further"
words+=(--output "$out/recording" --export "summary:$out/summary.md")
words+=(--export "json:$out/report.json" --export "junit:$out/junit.xml")
words+=("$base..$head")
if [ -n "${INPUT_COMMAND:-}" ]; then words+=(-- "$INPUT_COMMAND"); fi

set +e
{
  node "$program" git "${words[@]}" 2>&1 1>&3 3>&- | tee "$log" >&2
  status=${PIPESTATUS[0]}
} 3>&1
set -e
if [ "$status" -ne 0 ] && [ ! -s "$out/summary.md" ]; then report_failure "$status"; fi
exit "$status"
