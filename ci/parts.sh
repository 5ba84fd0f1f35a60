#!/usr/bin/env bash
# parts.sh: an experiment of deadheat.yaml over several jobs of a pipeline, by what stands in the environment.
#
#   parts.sh matrix [JOBS] prints the matrix of jobs, one line of JSON; without JOBS one for each of the machines in the file
#   parts.sh part          makes one part into INPUT_OUTPUT
#   parts.sh merge DIR     brings the parts below DIR together, and ends with the exit code of the verdict
#
#   INPUT_FILE        the file (default: deadheat.yaml)
#   INPUT_PART        which part, such as 1/4
#   INPUT_EXPERIMENT  what all parts have in common, such as the number of the pipeline
#   INPUT_HOST        what this machine is called (default: its name and digits of its boot)
#   INPUT_FAIL_ON     slower (default), faster, changed or METRIC>SHARE: exit 1 when something is, 6 when it was not measured; never: neither
#   INPUT_UNDECIDED   pass or a share such as 5%: lets pass what was not measured well enough
#   INPUT_OUTPUT      `part`: the recording (default: ./deadheat-part); `merge`: summary.md, report.json, junit.xml and recording/
#                     (default: ./deadheat-result)
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=${DEADHEAT_PROGRAM:-$here/../.installed/node_modules/deadheat/bin/deadheat.js}
[ -f "$program" ] || program=$here/../core/cli/bin/deadheat.js
file=${INPUT_FILE:-deadheat.yaml}

say() { printf 'deadheat: %s\n' "$1" >&2; }

case ${1:-} in
  matrix)
    words=()
    if [ -n "${2:-}" ]; then words+=(--jobs "$2"); fi
    exec node "$program" ci matrix "${words[@]}" "$file"
    ;;
  part)
    words=(--part "${INPUT_PART:?INPUT_PART is missing, such as 1/4}" --output "${INPUT_OUTPUT:-deadheat-part}")
    if [ -n "${INPUT_EXPERIMENT:-}" ]; then words+=(--experiment-id "$INPUT_EXPERIMENT"); fi
    if [ -n "${INPUT_HOST:-}" ]; then words+=(--host-name "$INPUT_HOST"); fi
    # The summary of a part says nothing that the whole does not say better.
    exec node "$program" run "${words[@]}" --no-summary "$file"
    ;;
  merge)
    out=${INPUT_OUTPUT:-deadheat-result}
    words=(--output "$out/recording" --export "summary:$out/summary.md" --export "json:$out/report.json")
    words+=(--export "junit:$out/junit.xml")
    if [ "${INPUT_FAIL_ON:-slower}" != never ]; then
      words+=(--fail-on "${INPUT_FAIL_ON:-slower}")
      if [ -n "${INPUT_UNDECIDED:-}" ]; then words+=(--undecided "$INPUT_UNDECIDED"); fi
    fi
    mkdir -p "$out"
    exec node "$program" ci merge "${words[@]}" "${2:?the folder of the parts is missing}"
    ;;
  *)
    say 'parts.sh needs matrix [JOBS], part or merge DIR'
    exit 2
    ;;
esac
