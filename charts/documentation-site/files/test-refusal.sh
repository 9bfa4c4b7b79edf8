#!/bin/sh
# `helm test`, failing cases: the program that fetches must refuse a file that is not a bundle, and a bundle with a
# wrong digest.
set -eu
here=$(dirname "$0")

# Expects the message $3 for the link $1 and the digest $2.
expect_refusal() {
    rm -rf /tmp/refusal
    mkdir -p /tmp/refusal/secret /tmp/refusal/site
    printf '%s' "$1" > /tmp/refusal/secret/bundle-url
    if EXPORT_ID=test EXPECTED_SHA256="$2" SECRET_DIR=/tmp/refusal/secret SITE_DIR=/tmp/refusal/site \
        TERMINATION_LOG=/tmp/refusal/message node "$here/fetch-bundle.cjs"; then
        echo "The pods would accept something that is not a bundle."
        exit 1
    fi
    grep -q "$3" /tmp/refusal/message || { echo "The refusal does not say '$3'."; exit 1; }
    [ -z "$(ls -A /tmp/refusal/site)" ] || { echo "The refused bundle left files behind."; exit 1; }
}

expect_refusal "$SITE_URL/healthz" "" "not a gzipped tar archive"
# The site has no archive, so that this pod sends one to itself, on a port that is free.
rm -f /tmp/refusal/port
node -e '
const server = require("http").createServer((_, answer) => answer.end(require("zlib").gzipSync("")));
server.listen(0, "127.0.0.1", () => require("fs").writeFileSync("/tmp/refusal/port", `${server.address().port}\n`));
' &
trap 'kill $!' EXIT
tries=100
while [ ! -s /tmp/refusal/port ] && [ "$tries" -gt 0 ]; do
    sleep 0.1
    tries=$((tries - 1))
done
expect_refusal "http://127.0.0.1:$(cat /tmp/refusal/port)" "$(printf '%064d' 0)" "SHA-256"
echo "Both bundles were refused and left no files behind."
