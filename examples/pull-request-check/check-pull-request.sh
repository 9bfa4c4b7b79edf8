#!/usr/bin/env bash
# Previews the program in this folder from a redacted stack, and writes the report to standard output and the events behind
# it to events.log. Needs no secret and, once the packages are installed, no network.
# Usage: check-pull-request.sh <stack> <folder of the redacted stack>
# Exits with 1 if a rule is broken or the preview failed, else with 0.
set -euo pipefail
stack=$1
redacted=$2

# A temporary backend, deleted afterwards.
backend=$(mktemp -d)
trap 'rm -rf "$backend"' EXIT
export PULUMI_BACKEND_URL="file://$backend" PULUMI_CONFIG_PASSPHRASE=redacted

npx --no -- static-export redact-config "Pulumi.$stack.yaml" --from "$redacted" >&2
pulumi stack init "$stack" --non-interactive >&2
pulumi stack import --stack "$stack" --file "$redacted/state.json" --non-interactive >&2

npx --no -- static-export preview --stack "$stack" --events events.log \
    --policy-pack "${POLICY_PACK:-node_modules/pulumi-static-export-policy}"
