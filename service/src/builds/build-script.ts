import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { quoteWord } from "@pulumi-static-export/contract";
import { type BuilderSettings } from "@pulumi-static-export/exporter";
import { limitOpenFiles } from "../processes/open-files.js";
import { installByLockFiles } from "./install-script.js";
import { readWantedVersions, reportUnknownVersions } from "./wanted-versions.js";
import { type BuildLimits } from "./site-build.js";

/** Address space for the code of threads, which V8 reserves and which counts as data. */
const reservedMegabytes = 4096;

/**
 * Puts the wanted versions of Node.js ($2) and Python ($3), and the installed packages, into the PATH. The first of
 * several versions is installed if the machine has none of them. $6 is not empty if the build needs its Python.
 */
const findVersions = String.raw`
tools=$HOME/.cache/static-export
if [ -n "$2" ]; then
    found=$(node --version 2>/dev/null) || found=none
    isFound=
    for wanted in $2; do
        case "$found." in "v$wanted".*) isFound=yes ;; esac
    done
    if [ -z "$isFound" ]; then
        wanted=${"$"}{2%% *}
        package=node-linux-$(uname -m | sed 's/x86_64/x64/;s/aarch64/arm64/')
        bin=$tools/node-$wanted/node_modules/$package/bin
        test -x "$bin/node" ||
            npm install --prefix "$tools/node-$wanted" --silent --no-audit --no-fund "$package@$wanted" || {
                echo "Node.js $wanted is not available: this machine has $found, and npm cannot install $package@$wanted." >&2
                exit 1
            }
        PATH=$bin:$PATH
    fi
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
        test -z "$6" || exit 1
    fi
fi
place=$PWD own=
while :; do
    own=$own$place/node_modules/.bin:
    test ! -d "$place/.venv/bin" || own=$place/.venv/bin:$own
    test "$place" != "$4" || break
    place=$(dirname "$place")
done
PATH=$own$HOME/.local/bin:$PATH
export PATH
`;

/** Fetches the wanted parts of a repository that a fetch leaves out, and says which others are missing. */
const completeCheckout = ({ folders, isRecursive }: WantedSubmodules, isLfs: boolean) => String.raw`
cd "$4"
if test -e .git/shallow; then
    echo "The history ends after $(git rev-list --count HEAD) commits: older pages have the date of" \
        "the oldest commit. Raise build.historyCommits in the sites file to change this."
fi
named=
if test -f .gitmodules; then
    named=$(git config --file .gitmodules --get-regexp "[.]path$" | cut -d " " -f 2-)
    ${
        folders === "all" || folders.length > 0
            ? `update="git submodule --quiet update --init${isRecursive ? " --recursive" : ""}"
    # Servers without the protocol's newer parts send no single commit.
    $update --depth 1${argumentsOf(folders)} || $update${argumentsOf(folders)}`
            : `echo "Submodules are left out, unless build.submodules is true:" $named`
    }
fi
unnamed=$(git ls-files --stage | grep "^160000 " | cut -f 2- | while read -r folder; do
    echo "$named" | grep -Fxq -- "$folder" || echo "$folder"
done)
if test -n "$unnamed"; then
    echo "These folders are empty, because they are repositories that .gitmodules does not name:" $unnamed
fi
if git grep --quiet --cached "filter=lfs" -- .gitattributes "**/.gitattributes"; then
    ${
        isLfs
            ? `command -v git-lfs >/dev/null || { echo "build.lfs needs git-lfs on the machine." >&2; exit 1; }
    git lfs pull`
            : `echo "Files of Git LFS are left out, unless build.lfs is true: pages get their pointers instead."`
    }
fi
cd "$1"
`;

type WantedSubmodules = Exclude<NonNullable<BuilderSettings["submodules"]>, boolean>;

function wantedOf(submodules: BuilderSettings["submodules"] = false): WantedSubmodules {
    return typeof submodules === "boolean" ? { folders: submodules ? "all" : [], isRecursive: submodules } : submodules;
}

function argumentsOf(folders: WantedSubmodules["folders"]): string {
    return folders === "all" ? "" : ` -- ${folders.map(quoteWord).join(" ")}`;
}

/** The mode of a commit in an index: a folder that is another repository. */
const modeOfCommit = Buffer.from([0, 0, 0xe0, 0]);

/** Whether a repository may have parts that {@link prepareCommand} fetches or reports. */
function isPartial(root: string): boolean {
    const isFound = (name: string) => lstatSync(join(root, name), { throwIfNoEntry: false }) !== undefined;
    if (isFound(".git/shallow") || isFound(".gitmodules")) {
        return true;
    }
    // The index has the names and modes of all files: each folder may have attributes, or be another repository.
    const index = isFound(".git/index") ? readFileSync(join(root, ".git/index")) : Buffer.alloc(0);
    return index.includes(".gitattributes") || index.includes(modeOfCommit);
}

/**
 * The command that reports unknown versions, completes the checkout, and installs the packages of a site.
 * @param here the places of the checkout on this machine @returns undefined if there is nothing to do
 */
export function prepareCommand(
    settings: Omit<BuilderSettings, "command" | "outputFolder" | "baseFolder">,
    here: ScriptPlaces,
): string | undefined {
    const { install, submodules, lfs = false, notes = [] } = settings;
    const command = [
        ...notes.map((note) => `printf '%s\\n' ${quoteWord(note)}`),
        ...reportUnknownVersions(settings, here),
        ...(isPartial(here.root) ? [completeCheckout(wantedOf(submodules), lfs)] : []),
        ...(install === undefined ? [] : [install === true ? installByLockFiles : install]),
    ].join("\n");
    return command === "" ? undefined : command;
}

/** Runs the command $5 in the folder $1 of the checkout $4, with the versions $2 and $3. */
const runCommand = `cd "$1" || exit 1\n${findVersions}\nexec /bin/sh -e -c "$5" sh "$1" "$2" "$3" "$4"`;

/** Real paths. */
interface ScriptPlaces {
    /** The folder in which the command runs. */
    readonly base: string;
    /** The checkout. */
    readonly root: string;
}

/**
 * A shell's command with limits for each of its processes; a limit that the system does not support has no effect.
 * @param settings with a command as of {@link prepareCommand}, or of the site
 * @param here the places of the checkout on this machine @param there those in the sandbox
 */
export function boundedCommand(
    settings: Pick<BuilderSettings, "command" | "node" | "python">,
    here: ScriptPlaces,
    { base, root }: ScriptPlaces,
    { memoryMegabytes, diskMegabytes, maxProcesses }: BuildLimits,
): [string, ...string[]] {
    const limits = [
        `ulimit -d ${(memoryMegabytes + reservedMegabytes) * 1024}`,
        // Shells count in blocks of 512 bytes.
        `ulimit -f ${diskMegabytes * 2048}`,
        // Each process counts with its threads.
        `ulimit -u ${2 * maxProcesses} || ulimit -p ${2 * maxProcesses}`,
        "echo 1000 > /proc/self/oom_score_adj",
        "renice -n 10 -p $$ >/dev/null",
    ].map((limit) => `{ ${limit}; } 2>/dev/null`);
    const script = [...limits, runCommand].join("\n");
    const { node, python, isRequired } = versionsOf(settings, here);
    return ["/bin/sh", "-c", script, "sh", base, node, python, root, settings.command, isRequired];
}

/**
 * A shell's command that installs packages and runs the builder in a container, whose runtime sets the limits.
 * @param here the places of the checkout on this machine @param there those in the container
 * @param between runs after the installation, with the folder of the command in `$1`
 */
export function containerCommand(
    settings: BuilderSettings,
    here: ScriptPlaces,
    there: ScriptPlaces,
    between: string,
): [string, ...string[]] {
    const script = `${limitOpenFiles}
run=$1
shift
test -z "$5" || /bin/sh -c "$run" sh "$1" "$2" "$3" "$4" "$5" "$7" || exit
${between}
exec /bin/sh -c "$run" sh "$1" "$2" "$3" "$4" "$6" "$7"`;
    const prepare = prepareCommand(settings, here) ?? "";
    const { node, python, isRequired } = versionsOf(settings, here);
    const { base, root } = there;
    const values = [base, node, python, root, prepare, settings.command, isRequired];
    return ["/bin/sh", "-c", script, "sh", runCommand, ...values];
}

/** The versions as arguments of {@link runCommand}. */
function versionsOf({ node, python }: Pick<BuilderSettings, "node" | "python">, { base, root }: ScriptPlaces) {
    const wanted = readWantedVersions(base, root);
    return {
        node: node ?? wanted.node.join(" "),
        python: python ?? wanted.python.join(" "),
        isRequired: python === undefined ? "" : "required",
    };
}
