import { posix } from "node:path";
import { quoteWord } from "@pulumi-static-export/contract";
import { isRecord } from "../../text/json-values.js";
import { BuilderFileError, type BuilderSettings } from "./builder-settings.js";

/** The folder for the output of a build in `.readthedocs.yaml`, whose commands find it in `READTHEDOCS_OUTPUT`. */
export const readTheDocsOutput = "_readthedocs";

export const readTheDocsFile = ".readthedocs.yaml";

/** The steps of a build, in their order. Read the Docs has commands for those without a prefix. */
const steps = [
    ...["post_checkout", "pre_system_dependencies", "post_system_dependencies", "pre_create_environment"],
    ...["create_environment", "post_create_environment", "pre_install", "install", "post_install"],
    ...["pre_build", "build", "post_build"],
];

/** The keys that are read, without those below them. Systems and formats are decided by the machine. */
const knownKeys: Readonly<Record<string, readonly string[]>> = {
    "": ["version", "build", "sphinx", "mkdocs", "python", "submodules"],
    build: ["os", "tools", "jobs", "commands"],
    "build.tools": ["python", "nodejs"],
    "build.jobs": steps,
    "build.jobs.build": ["html"],
    sphinx: ["configuration", "builder", "fail_on_warning"],
    mkdocs: ["configuration", "fail_on_warning"],
    python: ["install"],
    submodules: ["include", "recursive"],
};

const variables = `
branch=\${STATIC_EXPORT_BRANCH:-$(git branch --show-current 2>/dev/null || true)}
branch=\${branch:-latest}
type=branch
test "\${STATIC_EXPORT_PREVIEW:-false}" = false || type=external
export READTHEDOCS=True READTHEDOCS_LANGUAGE=en READTHEDOCS_VERSION="$branch" READTHEDOCS_VERSION_NAME="$branch" \\
    READTHEDOCS_VERSION_TYPE="$type" READTHEDOCS_CANONICAL_URL="\${STATIC_EXPORT_URL:-}" \\
    READTHEDOCS_GIT_IDENTIFIER="$branch" \\
    READTHEDOCS_GIT_CLONE_URL="$(git config remote.origin.url 2>/dev/null || true)" \\
    READTHEDOCS_GIT_COMMIT_HASH="\${STATIC_EXPORT_COMMIT:-$(git rev-parse HEAD 2>/dev/null || true)}" \\
    READTHEDOCS_VIRTUALENV_PATH="\${READTHEDOCS_VIRTUALENV_PATH:-$PWD/.venv}"
PATH=$READTHEDOCS_VIRTUALENV_PATH/bin:$PATH
export PATH
`.trim();

const createEnvironment = 'test -d "$READTHEDOCS_VIRTUALENV_PATH" || python3 -m venv "$READTHEDOCS_VIRTUALENV_PATH"';
const pip = "python -m pip install --quiet --disable-pip-version-check";

/** The machines of Read the Docs have asdf. */
const findAsdf = `command -v asdf >/dev/null || {
    echo "${readTheDocsFile}: its commands call asdf, which this machine does not have: install uv with method: uv in" \\
        "python.install, and Node.js with build.tools.nodejs, or install asdf on the machine." >&2
    exit 1
}`;

/**
 * The build that `.readthedocs.yaml` describes, as a script in which each command has its own shell.
 * @returns undefined if the file builds nothing @throws BuilderFileError
 */
export function readReadTheDocs(settings: Readonly<Record<string, unknown>>): Partial<BuilderSettings> | undefined {
    const build = recordAt(settings, "build");
    const [sphinx, mkdocs] = [settings["sphinx"], settings["mkdocs"]];
    const tools = recordAt(build, "tools");
    const ownCommands = build["commands"] === undefined ? undefined : readCommands("build.commands", build["commands"]);
    const jobs = recordAt(build, "jobs");
    const usesPython = tools["python"] !== undefined || sphinx !== undefined || mkdocs !== undefined;
    const defaults: Readonly<Record<string, readonly string[]>> = {
        create_environment: usesPython ? [createEnvironment] : [],
        install: installCommands(settings),
        build: buildCommands(sphinx, mkdocs),
    };
    const commands =
        ownCommands === undefined
            ? steps.flatMap((step) => readStep(step, jobs[step]) ?? defaults[step] ?? [])
            : [...(defaults["create_environment"] ?? []), ...ownCommands];
    if (ownCommands === undefined && jobs["build"] === undefined && sphinx === undefined && mkdocs === undefined) {
        return undefined;
    }
    const unread = findUnread(settings);
    const [python, node] = [versionOf(tools["python"]), versionOf(tools["nodejs"])];
    const notes = [
        ...(unread.length === 0 ? [] : [`${readTheDocsFile}: ignored keys: ${unread.join(", ")}.`]),
        ...(ownCommands === undefined || build["jobs"] === undefined
            ? []
            : [`${readTheDocsFile}: build.jobs is ignored, because build.commands replaces it.`]),
        ...[noteOnVersion("python", tools["python"], "3.12"), noteOnVersion("nodejs", tools["nodejs"], "22")].flat(),
    ];
    const needsAsdf = commands.some((command) => /(?:^|[\s;&|])asdf\s/.test(command));
    return {
        command: [
            variables,
            ...(needsAsdf ? [findAsdf] : []),
            ...commands.map((command) => `sh -c ${quoteWord(command)}`),
        ].join("\n"),
        ...(notes.length === 0 ? {} : { notes }),
        outputFolder: `${readTheDocsOutput}/html`,
        ...(python === undefined ? {} : { python }),
        ...(node === undefined ? {} : { node }),
        ...readSubmodules(recordAt(settings, "submodules")),
    };
}

function readSubmodules({
    include,
    recursive = false,
}: Readonly<Record<string, unknown>>): Pick<BuilderSettings, "submodules"> {
    if (include === undefined) {
        return {};
    }
    const isList = Array.isArray(include) && include.every((folder) => typeof folder === "string");
    if (include !== "all" && !isList) {
        throw new BuilderFileError(`${readTheDocsFile}: submodules.include must be all, or list folders.`);
    }
    if (typeof recursive !== "boolean") {
        throw new BuilderFileError(`${readTheDocsFile}: submodules.recursive must be true or false.`);
    }
    return { submodules: { folders: include, isRecursive: recursive } };
}

function readStep(step: string, value: unknown): readonly string[] | undefined {
    if (step !== "build") {
        return value === undefined ? undefined : readCommands(`build.jobs.${step}`, value);
    }
    const html = isRecord(value) ? value["html"] : undefined;
    return html === undefined ? undefined : readCommands("build.jobs.build.html", html);
}

function installCommands(settings: Readonly<Record<string, unknown>>): string[] {
    const builders = ["sphinx", "mkdocs"].filter((name) => settings[name] !== undefined);
    const install = recordAt(settings, "python")["install"];
    const given: unknown[] = Array.isArray(install) ? install : [];
    return [
        ...(builders.length === 0 ? [] : [`${pip} ${builders.join(" ")}`]),
        ...(given.some(isOfUv) ? [`${pip} ${quoteWord("uv<1")}`] : []),
        ...given.map((each) => (isOfUv(each) ? installWithUv(each) : installWithPip(isRecord(each) ? each : {}))),
    ];
}

type Installation = Readonly<Record<string, unknown>>;

function isOfUv(each: unknown): each is Installation {
    return isRecord(each) && each["method"] === "uv";
}

function installWithPip({ requirements, path, method = "pip", extra_requirements: extras = [] }: Installation): string {
    if (typeof requirements === "string") {
        return `${pip} --requirement ${quoteWord(requirements)}`;
    }
    if (typeof path !== "string" || !isListOfNames(extras) || !["pip", "setuptools"].includes(String(method))) {
        throw new BuilderFileError(
            `${readTheDocsFile}: python.install must have requirements, or path with the method pip, or the method ` +
                "uv with the command sync or pip. Write other installations into build.jobs.install.",
        );
    }
    return `${pip} ${quoteWord(withExtras(path, extras))}`;
}

/** The commands that Read the Docs runs, in its virtual environment, which also contains the builder. */
function installWithUv({ command, requirements, path, groups = [], extras = [] }: Installation): string {
    const named = typeof path === "string" ? path : undefined;
    if (command === "sync" && requirements === undefined && isListOrAll(groups) && isListOrAll(extras)) {
        const options = [...optionsOf("group", groups), ...optionsOf("extra", extras)];
        const project = named === undefined ? [] : [`--project ${quoteWord(named)}`];
        const sync = ["python -m uv sync --quiet --inexact", ...project, ...options].join(" ");
        return `UV_PROJECT_ENVIRONMENT=$READTHEDOCS_VIRTUALENV_PATH ${sync}`;
    }
    if (command === "pip" && typeof requirements === "string") {
        return `python -m uv pip install --quiet --requirement ${quoteWord(requirements)}`;
    }
    if (command === "pip" && named !== undefined && isListOfNames(extras)) {
        return `python -m uv pip install --quiet ${quoteWord(withExtras(named, extras))}`;
    }
    throw new BuilderFileError(
        `${readTheDocsFile}: python.install with the method uv must have the command sync, with lists of groups and ` +
            "extras, or the command pip, with requirements or path.",
    );
}

function isListOfNames(value: unknown): value is readonly string[] {
    return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function isListOrAll(value: unknown): value is "all" | readonly string[] {
    return value === "all" || isListOfNames(value);
}

function optionsOf(kind: "group" | "extra", wanted: "all" | readonly string[]): string[] {
    return wanted === "all" ? [`--all-${kind}s`] : wanted.map((name) => `--${kind} ${quoteWord(name)}`);
}

function withExtras(path: string, extras: readonly string[]): string {
    return `./${path}${extras.length === 0 ? "" : `[${extras.join(",")}]`}`;
}

function buildCommands(sphinx: unknown, mkdocs: unknown): string[] {
    const output = '"$READTHEDOCS_OUTPUT/html"';
    if (isRecord(sphinx)) {
        const { configuration = "docs/conf.py", builder = "html", fail_on_warning: isStrict } = sphinx;
        const options = `-T${isStrict === true ? " -W --keep-going" : ""} -b ${quoteWord(String(builder))}`;
        return [
            `cd ${quoteWord(posix.dirname(String(configuration)))} && ` +
                `python -m sphinx ${options} -d _build/doctrees -D language=en . ${output}`,
        ];
    }
    if (isRecord(mkdocs)) {
        const { configuration = "mkdocs.yml", fail_on_warning: isStrict } = mkdocs;
        const options = `--clean --site-dir ${output} --config-file ${quoteWord(String(configuration))}`;
        return [`python -m mkdocs build ${options}${isStrict === true ? " --strict" : ""}`];
    }
    return [];
}

/** The names of keys that have no effect here. */
function findUnread(settings: Readonly<Record<string, unknown>>): string[] {
    return Object.entries(knownKeys).flatMap(([place, known]) => {
        const found = place.split(".").reduce<unknown>((at, name) => (name === "" ? at : keyOf(at, name)), settings);
        return Object.keys(isRecord(found) ? found : {})
            .filter((name) => !known.includes(name))
            .map((name) => (place === "" ? name : `${place}.${name}`));
    });
}

function readCommands(place: string, value: unknown): string[] {
    if (!Array.isArray(value) || !value.every((command) => typeof command === "string")) {
        throw new BuilderFileError(`${readTheDocsFile}: ${place} must list commands.`);
    }
    return value;
}

function keyOf(value: unknown, name: string): unknown {
    return isRecord(value) ? value[name] : undefined;
}

function recordAt(settings: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> {
    const found = settings[name];
    return isRecord(found) ? found : {};
}

/** @param such a version as an example */
function noteOnVersion(tool: string, value: unknown, such: string): string[] {
    const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
    if (text === "" || versionOf(value) !== undefined || /^(?:3|latest|lts)$/.test(text)) {
        return [];
    }
    const named = `${readTheDocsFile}: build.tools.${tool}: ${JSON.stringify(text)}`;
    return [`${named} is not a version that builds know, such as ${such}: this build uses that of the machine.`];
}

/** A version that names at least one number after `3.`; `latest` and `3` are those of the machine. */
function versionOf(value: unknown): string | undefined {
    const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
    return /^(?:3\.\d{1,2}|[1-9]\d)(?:\.\d{1,3})?$/.test(text) ? text : undefined;
}
