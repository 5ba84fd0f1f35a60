#!/usr/bin/env bash
# comment.sh SUMMARY: shows a summary as one comment of a pull request on GitHub, which later ones replace.
#
#   GITHUB_TOKEN, GITHUB_REPOSITORY, GITHUB_API_URL   as GitHub's runners have them
#   PULL_REQUEST     its number; empty = the open one of HEAD_OWNER:HEAD_BRANCH whose last commit is HEAD_SHA
#   COMMENT_KEY      tells the comments of several jobs apart: letters, digits, - and _ (default: deadheat)
#   COMMENT_AUTHOR   who writes with the token (default: github-actions[bot]); comments of others are left alone
#   COMMENT_REQUIRED true: ends with 1 when there is no comment in the end
#
# Writes posted=true or posted=false to $GITHUB_OUTPUT. A token that may not write, as for forks, is told and is no failure.
set -euo pipefail
summary=${1:?the file with the summary is missing}
api=${GITHUB_API_URL:-https://api.github.com}
repository=${GITHUB_REPOSITORY:?}
key=${COMMENT_KEY:-deadheat}
author=${COMMENT_AUTHOR:-github-actions[bot]}
number=${PULL_REQUEST:-}
# GitHub takes 65 536 characters; the rest is for the marker.
longest=65000

finish() {
  if [ -n "${GITHUB_OUTPUT:-}" ]; then echo "posted=$1" >> "$GITHUB_OUTPUT"; fi
  if [ "$1" = false ] && [ "${COMMENT_REQUIRED:-false}" = true ]; then exit 1; fi
  exit 0
}
give_up() {
  echo "::warning::deadheat: no comment: $1" >&2
  finish false
}

[[ $key =~ ^[A-Za-z0-9_-]+$ ]] || give_up "the key '$key' holds more than letters, digits, - and _"
marker="<!-- deadheat: $key -->"
[ -s "$summary" ] || give_up "there is no summary in $summary"

answer=$(mktemp)
trap 'rm -f "$answer"' EXIT

# request METHOD PATH [further arguments of curl]: the answer's body goes to $answer, its status to standard output.
# The token stands in no argument, where other processes could read it.
request() {
  local method=$1 path=$2
  shift 2
  curl --silent --show-error --max-time 60 --request "$method" --output "$answer" --write-out '%{http_code}' \
    --header 'Accept: application/vnd.github+json' --header 'X-GitHub-Api-Version: 2022-11-28' \
    --config <(printf 'header = "Authorization: Bearer %s"\n' "${GITHUB_TOKEN:-}") "$@" "$api/repos/$repository/$path" || true
}
refused() {
  if [ "$1" = 000 ]; then give_up "$api could not be reached for $2"; fi
  give_up "GitHub answered $1 to $2. Forks and tokens without pull-requests: write may not comment; docs/ci.md tells what to do"
}
# json CODE [arguments]: evaluates CODE over `input`, what stands in $answer.
json() {
  node -e 'const [code, ...args] = process.argv.slice(1);
    const input = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
    const value = new Function("input", "args", `return ${code}`)(input, args);
    console.log(value ?? "");' "$@" < "$answer"
}

if [ -z "$number" ]; then
  owner=${HEAD_OWNER:?PULL_REQUEST or HEAD_OWNER, HEAD_BRANCH and HEAD_SHA are needed}
  status=$(request GET pulls --get --data state=open --data per_page=100 --data-urlencode "head=$owner:${HEAD_BRANCH:?}")
  [ "$status" = 200 ] || refused "$status" 'the search of the pull request'
  number=$(json 'input.find((one) => one.head.sha === args[0])?.number' "${HEAD_SHA:?}")
  [ -n "$number" ] || give_up "no open pull request of $owner:$HEAD_BRANCH ends with $HEAD_SHA: newer commits have their own run"
fi
[[ $number =~ ^[0-9]+$ ]] || give_up "'$number' is no number of a pull request"

id=''
for page in $(seq 1 30); do
  status=$(request GET "issues/$number/comments?per_page=100&page=$page")
  [ "$status" = 200 ] || refused "$status" 'the list of comments'
  id=$(json 'input.find((one) => one.user?.login === args[0] && one.body?.startsWith(args[1]))?.id' "$author" "$marker")
  if [ -n "$id" ] || [ "$(json input.length)" -lt 100 ]; then break; fi
done

body=$(node -e 'const [marker, longest] = process.argv.slice(1);
  const text = require("node:fs").readFileSync(0, "utf8").slice(0, Number(longest));
  console.log(JSON.stringify({ body: `${marker}\n${text}` }));' "$marker" "$longest" < "$summary")
if [ -n "$id" ]; then
  status=$(printf '%s' "$body" | request PATCH "issues/comments/$id" --data-binary @-)
  [ "$status" = 200 ] || refused "$status" 'the new text of the comment'
else
  status=$(printf '%s' "$body" | request POST "issues/$number/comments" --data-binary @-)
  [ "$status" = 201 ] || refused "$status" 'the new comment'
fi
finish true
