#!/bin/sh
# `helm test`, failing cases: the program that fetches must refuse a file that is not a bundle, and a bundle with a
# wrong digest.
set -eu
here=$(dirname "$0")

expect_refusal() {
    rm -rf /tmp/refusal
    mkdir -p /tmp/refusal/secret /tmp/refusal/site
    printf '%s' "$SITE_URL/healthz" > /tmp/refusal/secret/bundle-url
    printf '%s' test > /tmp/refusal/secret/export-id
    if EXPORT_ID=test EXPECTED_SHA256="$1" SECRET_DIR=/tmp/refusal/secret SITE_DIR=/tmp/refusal/site \
        TERMINATION_LOG=/tmp/refusal/message node "$here/fetch-bundle.cjs"; then
        echo "The pods would accept something that is not a bundle."
        exit 1
    fi
    grep -q "$2" /tmp/refusal/message || { echo "The refusal does not say '$2'."; exit 1; }
    [ -z "$(ls -A /tmp/refusal/site)" ] || { echo "The refused bundle left files behind."; exit 1; }
}

expect_refusal "" "not a gzipped tar archive"
expect_refusal "$(printf '%064d' 0)" "SHA-256"
echo "Both bundles were refused and left no files behind."
