#!/bin/sh
# Sends what a project is found by to a cell, at once and after a restart of HAProxy:
#
#   octavo-service project routes my-docs | set-cell.sh cell2
#
# MAP and SOCKET name the map and the admin socket of HAProxy. Needs socat.
set -eu
cell=$1
map=${MAP:-/etc/haproxy/cells.map}
socket=${SOCKET:-/run/haproxy/admin.sock}
part=$map.part
routes=$(cat)

# The file first: a restart in between must not send anybody back.
awk -v cell="$cell" 'NR == FNR { moved[$1]; next } !($1 in moved) { print } END { for (name in moved) print name, cell }' \
  /dev/stdin "$map" > "$part" <<END
$routes
END
mv "$part" "$map"

# A name that is in the map is changed, so that no request finds it missing.
for route in $routes; do
  reply=$(printf 'set map %s %s %s\n' "$map" "$route" "$cell" | socat - "UNIX-CONNECT:$socket")
  case $reply in *[![:space:]]*)
    reply=$(printf 'add map %s %s %s\n' "$map" "$route" "$cell" | socat - "UNIX-CONNECT:$socket") ;;
  esac
  case $reply in *[![:space:]]*) echo "$route: $reply" >&2; exit 1 ;; esac
done
