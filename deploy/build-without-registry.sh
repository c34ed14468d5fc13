#!/bin/sh
# Builds deploy/Dockerfile where no registry and no Docker can be reached, with buildah and debootstrap (as root):
# the two base images are made from Debian's packages and from the Node of this machine.
#
#   deploy/build-without-registry.sh [folder of Debian, kept between runs]
set -eu
cd "$(dirname "$0")/.."
root=${1:-$(mktemp -d)}
test -e dist/octavo-service/package.json || npm run build
version=$(node -p 'require("./dist/octavo-service/package.json").version')
node=$(readlink -f "$(command -v node)")
npm=$(readlink -f "$(command -v npm)")
npm=${npm%/bin/npm-cli.js}
build() { buildah --storage-driver vfs "$@"; }

test -e "$root/etc/debian_version" || debootstrap --variant=minbase bookworm "$root"
# What the slim images of Debian leave out too.
rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/* "$root"/usr/share/man/* "$root"/usr/share/locale/*
find "$root/usr/share/doc" -type f ! -name copyright -delete
printf 'path-exclude /usr/share/%s/*\n' man locale info >"$root/etc/dpkg/dpkg.cfg.d/slim"

base=$(build from scratch)
build add -q "$base" "$root" / >/dev/null
build commit -q "$base" localhost/octavo-debian >/dev/null
build copy -q "$base" "$node" /usr/local/bin/node >/dev/null
build copy -q "$base" "$npm" /usr/local/lib/node_modules/npm >/dev/null
build run --isolation chroot "$base" -- ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
# npm behind a proxy with an authority of its own. It is not in the last stage.
if test -n "${NODE_EXTRA_CA_CERTS:-}"; then
  build copy -q "$base" "$NODE_EXTRA_CA_CERTS" /etc/extra-authorities.pem >/dev/null
  build config --env NODE_EXTRA_CA_CERTS=/etc/extra-authorities.pem "$base"
fi
build commit -q "$base" localhost/octavo-node >/dev/null
build rm "$base" >/dev/null
build bud --isolation chroot --format docker --build-arg NODE_IMAGE=localhost/octavo-node \
  --build-arg DEBIAN_IMAGE=localhost/octavo-debian --build-arg POSTGRES_CLIENT=postgresql-client \
  -f deploy/Dockerfile -t "octavo-service:$version" dist/octavo-service
