/**
 * Installs packages by the lock files in the folder of the command ($1), or in the nearest folder above, up to the
 * checkout ($4), that has any.
 */
export const installByLockFiles = String.raw`
base=$1 root=$4
hasAny() {
    for file in "$@"; do
        test ! -e "$file" || return 0
    done
    return 1
}
# The version of a package manager in the package.json of the lock file's folder or of one above, or in that of the
# command's folder, or else the given one.
pinned() {
    node -p 'const { dirname, join } = require("path");
        const [root, base, manager, usual] = process.argv.slice(1);
        const folders = [process.cwd()];
        while (folders[0] !== root && folders[0] !== dirname(folders[0])) folders.unshift(dirname(folders[0]));
        const versions = [...folders.reverse(), base].map((folder) => {
            let settings = {};
            try { settings = require(join(folder, "package.json")); } catch {}
            const other = [settings.devEngines?.packageManager ?? []].flat().find(({ name }) => name === manager);
            const [name, version] = (settings.packageManager ?? "").split("+")[0].split("@");
            return name === manager && version || other?.version;
        });
        versions.find((version) => version) || usual' "$root" "$base" "$@"
}
# Installs the package manager $1 from the package $2, unless the cache has it, and puts it into the PATH of the build.
manager() {
    folder=$HOME/.cache/static-export/$(echo "$2" | tr / _)
    test -e "$folder/node_modules/.bin/$1" ||
        npm_config_userconfig=$PWD/.npmrc npm install --prefix "$folder" --loglevel=error --no-audit --no-fund "$2"
    mkdir -p "$HOME/.local/bin"
    ln -sf "$folder"/node_modules/.bin/* "$HOME/.local/bin/"
}
# Whether there are lock files ($2 and so on) of the package manager $1, and package.json names no other that has one.
uses() {
    test -z "$named" || test "$1" = "$named" || return 1
    shift
    hasAny "$@"
}
# Prints the version for the format of a lock file, or ends the build.
unknown() {
    echo "$1 has the format ${"$"}{2:-none}, which is unknown: write packageManager into package.json." >&2
    exit 1
}
pnpmFor() {
    format=$(sed -n "s/^lockfileVersion: *[\"']*\([0-9.]*\).*/\1/p" pnpm-lock.yaml | head -n 1)
    case "$format" in
    9|9.*) echo 10 ;;
    6|6.*) echo 8 ;;
    5.4) echo 7 ;;
    5.3) echo 6 ;;
    5|5.*) echo 5 ;;
    *) unknown pnpm-lock.yaml "$format" ;;
    esac
}
yarnFor() {
    grep -q __metadata yarn.lock || { echo 1; return; }
    format=$(sed -n '/^__metadata:/,/^$/s/^  version: *\([0-9]*\).*/\1/p' yarn.lock | head -n 1)
    case "$format" in
    9 | 10) echo 4 ;;
    8) echo 4.13 ;;
    7) echo 4.0 ;;
    6) echo 3 ;;
    5) echo 3.1 ;;
    4) echo 2 ;;
    *) unknown yarn.lock "$format" ;;
    esac
}
# Whether a section of pyproject.toml ($1) has the key docs.
hasDocs() {
    test -f pyproject.toml && sed -n "/^\[$1\]/,/^\[[^[]/p" pyproject.toml | grep -q '^"*docs"* *='
}
inVenv() {
    test -d .venv || python3 -m venv .venv
    .venv/bin/python -m pip install --quiet --disable-pip-version-check "$@"
}
until hasAny package-lock.json npm-shrinkwrap.json pnpm-lock.yaml yarn.lock bun.lock bun.lockb uv.lock poetry.lock \
    pdm.lock Pipfile.lock requirements.txt Gemfile.lock Cargo.lock go.sum
do
    if [ "$PWD" = "$root" ]; then
        echo "install: true needs a lock file of npm, pnpm, yarn, bun, uv, poetry, pdm, pipenv, bundler, cargo or go," \
            "or requirements.txt." >&2
        exit 1
    fi
    cd ..
done
npmLocks="package-lock.json npm-shrinkwrap.json" bunLocks="bun.lock bun.lockb"
named=
for each in "npm $npmLocks" "pnpm pnpm-lock.yaml" "yarn yarn.lock" "bun $bunLocks"; do
    if hasAny ${"$"}{each#* } && [ -n "$(pinned "${"$"}{each%% *}" "")" ]; then named=${"$"}{each%% *}; fi
done
# Builders are devDependencies, which npm, pnpm before 10 and yarn 1 leave out if NODE_ENV is production.
if uses pnpm pnpm-lock.yaml; then
    pnpm=$(pinned pnpm "") && pnpm=${"$"}{pnpm:-$(pnpmFor)}
    manager pnpm "pnpm@$pnpm"
    pnpm install --frozen-lockfile --prod=false --store-dir "$HOME/.cache/pnpm-store"
elif uses bun $bunLocks; then
    manager bun "bun@$(pinned bun 1)"
    bun install --frozen-lockfile
elif uses yarn yarn.lock; then
    yarn=$(pinned yarn "") && yarn=${"$"}{yarn:-$(yarnFor)}
    case ${"$"}{yarn#[v~^]} in
    0.* | 1 | 1.*)
        manager yarn "yarn@$yarn"
        yarn install --frozen-lockfile --non-interactive --production=false
        ;;
    *)
        manager yarn "@yarnpkg/cli-dist@$yarn"
        yarn install --immutable
        ;;
    esac
elif hasAny $npmLocks; then
    npm ci --include=dev --no-audit --no-fund
fi
if hasAny uv.lock; then
    inVenv "uv<1"
    set --
    if hasDocs dependency-groups; then set -- "$@" --group docs; fi
    if hasDocs "project[.]optional-dependencies"; then set -- "$@" --extra docs; fi
    .venv/bin/uv sync --frozen --inexact "$@"
elif hasAny poetry.lock; then
    poetry=$(sed -n 's/^# This file is .*generated by Poetry \([0-9][0-9.]*\).*/\1/p' poetry.lock)
    if [ -n "$poetry" ]; then inVenv "poetry==$poetry"; else inVenv "poetry<3"; fi
    set --
    if grep -q '^\[tool[.]poetry[.]group[.]docs' pyproject.toml; then set -- --with docs; fi
    POETRY_VIRTUALENVS_IN_PROJECT=true .venv/bin/poetry install --no-interaction "$@"
elif hasAny pdm.lock; then
    inVenv "pdm<3"
    set --
    if hasDocs dependency-groups || hasDocs "project[.]optional-dependencies"; then set -- --group docs; fi
    .venv/bin/pdm sync "$@"
elif hasAny Pipfile.lock; then
    inVenv "pipenv>=2023"
    .venv/bin/pipenv requirements > "$TMPDIR/requirements.txt"
    inVenv --requirement "$TMPDIR/requirements.txt"
elif hasAny requirements.txt; then
    inVenv --requirement requirements.txt
fi
if hasAny Gemfile.lock; then
    # Bundler changes to the version in Gemfile.lock.
    bundle config set --local path "$HOME/.cache/bundle"
    BUNDLE_FROZEN=true bundle install --quiet
fi
if hasAny Cargo.lock; then
    cargo fetch --locked
fi
if hasAny go.sum; then
    go mod download
fi
`;
