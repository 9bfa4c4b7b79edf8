#!/bin/sh
# `helm test`: a host without a site gets a 404. If the bucket cannot be read, the status is 503.
set -eu
status=$(curl -q --silent --output /dev/null --max-time 20 --write-out '%{http_code}' \
    --header 'Host: no-such-site.invalid' "$SITES_URL/")
[ "$status" = 404 ] || { echo "A host without a site gets status $status, expected 404: see the pods' log."; exit 1; }
echo "The pods read the bucket."
