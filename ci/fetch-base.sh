#!/usr/bin/env bash
# fetch-base.sh BASE [HEAD]: makes the commit BASE known, and the one where BASE and HEAD part, in clones that lack history.
# Prints what BASE is called here: origin/main for main where only origin has that branch.
set -euo pipefail
base=${1:?BASE is missing}
head=${2:-HEAD}

known() { git rev-parse --quiet --verify "$1^{commit}" > /dev/null; }
parted() { git merge-base "$base" "$head" > /dev/null 2>&1; }
shallow() { [ "$(git rev-parse --is-shallow-repository)" = true ]; }

case $base in -*) echo "'$base' is no revision" >&2; exit 2 ;; esac
if ! known "$head"; then
  echo "there is no revision '$head' here" >&2
  exit 2
fi
tip=$(git rev-parse "$head^{commit}")
# A parent of what is here, as in HEAD^.
case $base in *[~^]*) if ! known "$base" && shallow; then git fetch --quiet --no-tags --deepen=50 origin "$tip"; fi ;; esac
depth=()
if shallow; then depth=(--depth=1); fi
if ! known "$base"; then
  branch=${base#origin/}
  git fetch --quiet --no-tags "${depth[@]}" origin "+refs/heads/$branch:refs/remotes/origin/$branch" 2> /dev/null ||
    git fetch --quiet --no-tags "${depth[@]}" origin "+refs/tags/$base:refs/tags/$base" 2> /dev/null ||
    git fetch --quiet --no-tags "${depth[@]}" origin "$base" 2> /dev/null || true
  if ! known "$base" && known "origin/$base"; then base=origin/$base; fi
  if ! known "$base"; then
    echo "there is no revision '$base' here, and origin has neither branch, tag nor commit of that name" >&2
    exit 2
  fi
fi
# By name of commit: what the branches are called by now may be later commits.
tips=("$(git rev-parse "$base^{commit}")" "$tip")
for more in 50 500; do
  if parted || ! shallow; then break; fi
  git fetch --quiet --no-tags "--deepen=$more" origin "${tips[@]}"
done
if ! parted && shallow; then git fetch --quiet --no-tags --unshallow origin "${tips[@]}"; fi
if ! parted; then
  echo "'$base' and '$head' have no common ancestor" >&2
  exit 2
fi
printf '%s\n' "$base"
