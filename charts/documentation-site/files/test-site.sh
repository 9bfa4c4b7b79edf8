#!/bin/sh
# `helm test`: sends requests to the Service as a visitor would.
set -eu

get() {
    if command -v curl > /dev/null 2>&1; then
        curl -q --silent --show-error --fail --max-time 20 "$SITE_URL$1"
    else
        timeout 20 wget -q -O - "$SITE_URL$1"
    fi
}

healthz=$(get /healthz)
[ "$healthz" = "$EXPECTED_HEALTHZ" ] || { echo "/healthz says $healthz, expected $EXPECTED_HEALTHZ"; exit 1; }
if get /no-such-page-of-this-documentation > /dev/null 2>&1; then
    echo "The request for a missing page returned no error status."
    exit 1
fi
# Not every site has a page at its root. The version above already proves that the export is served.
get / > /dev/null 2>&1 || echo "Note: this export has no page at /."
echo "The site answers: $healthz"
