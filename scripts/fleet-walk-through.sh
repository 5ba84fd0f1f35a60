#!/usr/bin/env bash
# Types the walk-throughs of docs/fleet.md and docs/watch.md, as they stand there, on a machine as good as fresh: with networks, a home and a
# PostgreSQL server of its own, set up as Debian does it, all of which are gone afterwards. Needs root, and Debian's postgresql, git and curl.
#
#   sudo scripts/fleet-walk-through.sh [fleet] [watch]
#
# DEADHEAT_JS is the file that node starts as deadheat (default: the one of this clone, which has to be built).
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
if [ "${1:-}" != inside ]; then
  [ $# -gt 0 ] || set -- fleet watch
  exec unshare --net --mount --pid --fork --kill-child --mount-proc bash "$0" inside "$@"
fi
shift

ip link set lo up
folder=$(mktemp -d)
programs=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
as_postgres() { (cd / && runuser -u postgres -- env -u PGPORT "$@"); }
finish() {
  as_postgres "$programs/pg_ctl" -D "$folder/cluster" -m immediate stop > /dev/null 2>&1 || true
  cd / && rm -rf "$folder"
}
trap finish EXIT

chmod 755 "$folder"
mkdir "$folder/run" "$folder/home" "$folder/bin"
chown postgres "$folder" "$folder/run"
mkdir -p /run/postgresql
mount --bind "$folder/run" /run/postgresql
as_postgres "$programs/initdb" -D "$folder/cluster" -A scram-sha-256 --auth-local=peer -E UTF8 --no-locale --no-sync > /dev/null
as_postgres "$programs/pg_ctl" -D "$folder/cluster" -l "$folder/run/log" -w -o '-c unix_socket_directories=/run/postgresql' start > /dev/null
chown root "$folder"

cat > "$folder/bin/deadheat" <<END
#!/bin/sh
exec '$(command -v node)' '${DEADHEAT_JS:-$root/core/cli/bin/deadheat.js}' "\$@"
END
# This is root already, and what apt-get would install is there.
cat > "$folder/bin/sudo" <<'END'
#!/bin/sh
case $1 in
  -u) user=$2; shift 2; cd /; exec runuser -u "$user" -- "$@" ;;
  apt-get) shift 3; for package; do dpkg -s "$package" > /dev/null || command -v "$package" > /dev/null || ls -d /usr/lib/"$package"; done ;;
  *) exec "$@" ;;
esac
END
chmod +x "$folder/bin/"*

# Indented blocks are typed; fenced ones are what is seen then.
for page; do
  sed -n '/^## A walk-through/,/^## [^A]/{ /^```/,/^```/d; s/^    //p }' "$root/docs/$page.md" > "$folder/typed"
  cd "$folder/home"
  env -u PGPASSWORD -u PGPASSFILE -u PGHOST -u PGPORT -u PGUSER HOME="$folder/home" PATH="$folder/bin:$PATH" TERM=dumb \
    bash -euo pipefail -v "$folder/typed"
done

# A password that was written anywhere but into its file would be in there: recordings, logs, clones, results of workers.
if [ -f "$folder/home/.pgpass" ] && grep -raFq -f <(cut -d: -f5 "$folder/home/.pgpass") "$folder/home/fleet"; then
  echo 'a password was written where it does not belong' >&2
  exit 1
fi
