#!/usr/bin/env bash
# Serves a branch that a running service previews (--preview-domain), at the address that the service gives the branch.
# The stack pr-<number> gets its settings from the stack "previews". Exports again only after a new commit.
# Usage: deploy-branch.sh <number of the pull request> <project> <branch>
set -euo pipefail
stack="pr-$1"
preview=$(npx --no -- static-export update "$2" --preview "$3" --wait --json)
settings=$(node -e '
    const { previewUrl, commit, summary } = JSON.parse(process.argv[1]);
    if (commit === undefined) console.error(summary);
    else console.log(new URL(previewUrl).hostname, commit.sha);
' "$preview")
# A build that skipped itself has nothing to serve.
test -n "$settings" || exit 0
read -r domain commit <<< "$settings"

pulumi stack select "$stack" >&2 || pulumi stack init "$stack" --copy-config-from previews >&2
pulumi config set-all --stack "$stack" --plaintext "domain=$domain" --plaintext "version=$commit" >&2
pulumi up --stack "$stack" --yes --skip-preview --non-interactive >&2
pulumi stack output url --stack "$stack"
