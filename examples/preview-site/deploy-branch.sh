#!/usr/bin/env bash
# Serves a branch that a running service previews (--preview-domain), at the address that the service gives the branch.
# The stack pr-<number> gets its settings from the stack "previews". Exports again only after a new commit.
# Usage: deploy-branch.sh <number of the pull request> <project> <branch>
set -euo pipefail
stack="pr-$1"
preview=$(npx --no -- static-export update "$2" --preview "$3" --wait --json)
read -r domain commit < <(node -e '
    const { previewUrl, commit } = JSON.parse(process.argv[1]);
    console.log(new URL(previewUrl).hostname, commit.sha);
' "$preview")

pulumi stack select "$stack" >&2 || pulumi stack init "$stack" --copy-config-from previews >&2
pulumi config set-all --stack "$stack" --plaintext "domain=$domain" --plaintext "version=$commit" >&2
pulumi up --stack "$stack" --yes --skip-preview --non-interactive >&2
pulumi stack output url --stack "$stack"
