#!/usr/bin/env bash
# Previews the program in this folder from a redacted stack, and writes the report to standard output and the events that
# it was made from to events.log. Needs no secret and, once the packages are installed, no network.
# Usage: check-pull-request.sh <stack> <folder of the redacted stack>
# Ends with 0 where there is nothing to object, and with 1 where a rule is broken or the preview failed.
set -euo pipefail
stack=$1
redacted=$2

# A backend of this check's own: what Pulumi writes is gone afterwards.
backend=$(mktemp -d)
trap 'rm -rf "$backend"' EXIT
export PULUMI_BACKEND_URL="file://$backend" PULUMI_CONFIG_PASSPHRASE=redacted

npx --no static-export redact-config "Pulumi.$stack.yaml" --from "$redacted" >&2
pulumi stack init "$stack" --non-interactive >&2
pulumi stack import --stack "$stack" --file "$redacted/state.json" --non-interactive >&2

# How it ended stands in its events, so the report decides how the check ends.
PULUMI_DEBUG_COMMANDS=1 pulumi preview --stack "$stack" --non-interactive --event-log events.log \
    --policy-pack "${POLICY_PACK:-node_modules/pulumi-static-export-policy}" >&2 || true
npx --no static-export preview-report events.log
