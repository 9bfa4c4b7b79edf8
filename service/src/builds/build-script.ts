import { type BuilderSettings } from "@pulumi-static-export/exporter";
import { type BuildLimits } from "./site-build.js";

/** Address space for the code of threads, which V8 reserves and which counts as data. */
const reservedMegabytes = 4096;

/** Puts the wanted versions of Node.js ($2) and Python ($3), and the installed packages, into the PATH. */
const findVersions = String.raw`
tools=$HOME/.cache/static-export
if [ -n "$2" ]; then
    found=$(node --version 2>/dev/null) || found=none
    case "$found." in
    "v$2".*) ;;
    *)
        package=node-linux-$(uname -m | sed 's/x86_64/x64/;s/aarch64/arm64/')
        bin=$tools/node-$2/node_modules/$package/bin
        test -x "$bin/node" ||
            npm install --prefix "$tools/node-$2" --silent --no-audit --no-fund "$package@$2" || {
                echo "Node.js $2 is not available: this machine has $found, and npm cannot install $package@$2." >&2
                exit 1
            }
        PATH=$bin:$PATH
        ;;
    esac
fi
if [ -n "$3" ]; then
    isFound= versions=
    for program in "python$3" python3; do
        found=$("$program" -c 'import platform; print(platform.python_version())' 2>/dev/null) || continue
        versions="$versions $found"
        case "$found." in
        "$3".*)
            mkdir -p "$HOME/python"
            ln -sf "$(command -v "$program")" "$HOME/python/python3"
            ln -sf python3 "$HOME/python/python"
            PATH=$HOME/python:$PATH isFound=yes
            break
            ;;
        esac
    done
    if [ -z "$isFound" ]; then
        echo "Python $3 is not available: this machine has$versions. Install python$3 below /usr or /opt." >&2
        exit 1
    fi
fi
place=$PWD
while :; do
    PATH=$PATH:$place/node_modules/.bin
    test ! -d "$place/.venv/bin" || PATH=$place/.venv/bin:$PATH
    test "$place" != "$4" || break
    place=$(dirname "$place")
done
export PATH
`;

/** Installs packages by the lock files in the folder of the command, or in the nearest folder above that has any. */
const installByLockFiles = String.raw`
root=$4
hasAny() {
    for file in "$@"; do
        test ! -e "$file" || return 0
    done
    return 1
}
pinned() {
    node -p 'const [name, version] = (require("./package.json").packageManager ?? "").split("+")[0].split("@");
        name === process.argv[1] && version ? version : process.argv[2]' "$@"
}
inVenv() {
    test -d .venv || python3 -m venv .venv
    .venv/bin/python -m pip install --quiet --disable-pip-version-check "$@"
}
until hasAny package-lock.json npm-shrinkwrap.json pnpm-lock.yaml yarn.lock bun.lock bun.lockb uv.lock poetry.lock requirements.txt
do
    if [ "$PWD" = "$root" ]; then
        echo "install: true needs a lock file of npm, pnpm, yarn, bun, uv or poetry, or requirements.txt." >&2
        exit 1
    fi
    cd ..
done
if hasAny package-lock.json npm-shrinkwrap.json; then
    npm ci --no-audit --no-fund
elif hasAny pnpm-lock.yaml; then
    npx --yes "pnpm@$(pinned pnpm latest)" install --frozen-lockfile --store-dir "$HOME/.cache/pnpm-store"
elif hasAny bun.lock bun.lockb; then
    npx --yes "bun@$(pinned bun latest)" install --frozen-lockfile
elif hasAny yarn.lock && grep -q __metadata yarn.lock; then
    npx --yes "@yarnpkg/cli-dist@$(pinned yarn latest)" install --immutable
elif hasAny yarn.lock; then
    npx --yes "yarn@$(pinned yarn 1)" install --frozen-lockfile --non-interactive
fi
if hasAny uv.lock; then
    inVenv uv
    .venv/bin/uv sync --frozen --inexact
elif hasAny poetry.lock; then
    inVenv poetry
    POETRY_VIRTUALENVS_IN_PROJECT=true .venv/bin/poetry install --no-interaction
elif hasAny requirements.txt; then
    inVenv --requirement requirements.txt
fi
`;

/** The command that installs the packages of a site; undefined if its own command does that. */
export function installCommand({ install }: Pick<BuilderSettings, "install">): string | undefined {
    return install === true ? installByLockFiles : install;
}

/**
 * A shell's command with limits for each of its processes; a limit that the system does not support has no effect.
 * @param command as of {@link installCommand}, or of the site
 * @param base the folder in which the command runs @param root the checkout
 */
export function boundedCommand(
    command: string,
    { base, root }: { readonly base: string; readonly root: string },
    { node = "", python = "" }: Pick<BuilderSettings, "node" | "python">,
    { memoryMegabytes, diskMegabytes, maxProcesses }: BuildLimits,
): [string, ...string[]] {
    const limits = [
        "ulimit -c 0",
        `ulimit -d ${(memoryMegabytes + reservedMegabytes) * 1024}`,
        // Shells count in blocks of 512 bytes.
        `ulimit -f ${diskMegabytes * 2048}`,
        `ulimit -u ${maxProcesses} || ulimit -p ${maxProcesses}`,
        "echo 1000 > /proc/self/oom_score_adj",
    ].map((limit) => `{ ${limit}; } 2>/dev/null`);
    const run = `cd "$1" || exit 1\n${findVersions}\nexec /bin/sh -e -c "$5" sh "$1" "$2" "$3" "$4"`;
    return ["/bin/sh", "-c", [...limits, run].join("\n"), "sh", base, node, python, root, command];
}
