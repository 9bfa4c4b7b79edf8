#!/usr/bin/env bash
# Previews the program in this folder from a redacted stack, and writes the report to standard output and the events behind
# it to events.log. Needs no secret and, once the packages are installed, no network.
# Usage: check-pull-request.sh <stack> <folder of the redacted stack>
# Exits with 1 if a rule is broken or the preview failed, otherwise with 0.
set -euo pipefail
stack=$1
redacted=$2

npx --no -- static-export preview --stack "$stack" --redacted "$redacted" --events events.log \
    --policy-pack "${POLICY_PACK:-node_modules/pulumi-static-export-policy}"
