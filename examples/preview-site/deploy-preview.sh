#!/usr/bin/env bash
# Exports the pages of this checkout, on a service that runs only for this export, and serves them at a separate
# address. The stack pr-<number> gets its settings from the stack "previews". Usage: deploy-preview.sh <number of the
# pull request> <version> <folder of the pages>
set -euo pipefail
stack="pr-$1"
domain="$stack.${PREVIEW_DOMAIN:?must be the domain below which previews are served}"
port="${SERVICE_PORT:-8787}"

data=$(mktemp -d)
# Starts the service in a separate process group, because npx does not forward signals.
set -m
npx --no -- static-export serve --site "$domain=$3" --port "$port" --data-dir "$data" >&2 &
service=$!
set +m
stop_service() {
    kill -- "-$service" || true
    while kill -0 -- "-$service" 2> /dev/null; do sleep 0.2; done
    rm -rf "$data"
}
trap stop_service EXIT
curl --silent --fail --output "$data/openapi.json" --retry 60 --retry-delay 1 --retry-connrefused "http://127.0.0.1:$port/openapi.json"
export STATIC_EXPORT_BASE_URL="http://127.0.0.1:$port"
STATIC_EXPORT_ADMIN_API_KEY=$(cat "$data/admin-api-key")
export STATIC_EXPORT_ADMIN_API_KEY

pulumi stack select "$stack" >&2 || pulumi stack init "$stack" --copy-config-from previews >&2
pulumi config set-all --stack "$stack" --plaintext "domain=$domain" --plaintext "version=$2" >&2
pulumi up --stack "$stack" --yes --skip-preview --non-interactive >&2
pulumi stack output url --stack "$stack"
