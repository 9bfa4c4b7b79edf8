import { randomInt } from "node:crypto";
import { mkdir, mkdtemp, readdir, realpath, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
    type BuilderSettings,
    folderInside,
    isWithin,
    readBuilderFile,
    readTheDocsOutput,
    toOneLine,
} from "@pulumi-static-export/exporter";
import { DiskWatch } from "../processes/disk-watch.js";
import { RunProcesses } from "../processes/kill-processes.js";
import { ProcessMark } from "../processes/process-mark.js";
import { removeLeftovers } from "../processes/remove-leftovers.js";
import { runProcess } from "../processes/run-process.js";
import { forBuilds, isAmongPrograms, Sandbox } from "../processes/sandbox.js";
import { type ServiceLogger } from "../shared/logger.js";
import { buildEnvironment } from "./build-environment.js";
import { BuildLog } from "./build-log.js";
import { checkOutput } from "./check-output.js";
import { type BuildLimits, type SiteBuild } from "./site-build.js";

export interface SiteBuilderOptions {
    /** Contains secrets, and the folders of builds. */
    dataDir: string;
    /** Further files with secrets. */
    secretFiles: readonly string[];
    /** Whether builds share the network of the service; otherwise they have none. */
    sharesNetwork: boolean;
    /** The folders of sites, which builds of other sites must not see. */
    siteFolders: () => readonly string[];
    /** @default process.env */
    env?: NodeJS.ProcessEnv;
    logger: ServiceLogger;
}

/** A checkout of a site, and how to build it. */
export interface BuildRequest {
    jobId: string;
    /** The folder from `withFolder`. */
    folder: string;
    /** The folder of the whole checkout. */
    checkout: string;
    /** The site's folder in the checkout. */
    sourceDir: string;
    build: SiteBuild;
    signal: AbortSignal;
    /** Called with each line of the builder's log. */
    onLine: (line: string) => void;
}

/** Real paths. */
interface BuildPlaces {
    /** The checkout. */
    readonly root: string;
    /** The folder in which the command runs. */
    readonly base: string;
    readonly home: string;
    readonly temporary: string;
    readonly repository: string;
}

/** Folders of builds that are older than this belong to a service that was killed. */
const maxAgeMs = 24 * 60 * 60_000;

const noNetwork =
    /EAI_AGAIN|ENOTFOUND|ENETUNREACH|ECONNREFUSED|getaddrinfo|name resolution|resolve host|no such host|unreachable/i;

/** Runs the builders of sites in a sandbox. */
export class SiteBuilder {
    readonly #options: SiteBuilderOptions;
    readonly #env: NodeJS.ProcessEnv;
    readonly #folder: string;
    #sandbox: Sandbox | undefined;

    constructor(options: SiteBuilderOptions) {
        this.#options = options;
        this.#env = options.env ?? process.env;
        this.#folder = join(options.dataDir, "builds");
    }

    /** Creates an empty folder for a build, and removes it and everything that the build left in it. */
    async withFolder<T>(jobId: string, use: (folder: string) => Promise<T>): Promise<T> {
        await mkdir(this.#folder, { recursive: true, mode: 0o700 });
        await this.#removeOld();
        const folder = await mkdtemp(join(await realpath(this.#folder), `${jobId}-`));
        try {
            return await use(folder);
        } finally {
            await this.#remove(folder);
        }
    }

    /**
     * Runs the builder of a site until all of its processes have ended.
     * @returns the folder with the finished site
     * @throws an error that says why the build failed, with the last lines of its log
     */
    async run(request: BuildRequest): Promise<string> {
        const { folder, checkout, sourceDir, build, signal } = request;
        const settings = settingsOf(sourceDir, build);
        const [home, temporary] = [join(folder, "home"), join(folder, "tmp")];
        await Promise.all([home, temporary].map((path) => mkdir(path)));
        const root = await realpath(checkout);
        const base = await realpath(join(sourceDir, settings.baseFolder)).catch(() => undefined);
        if (base === undefined || !isWithin(root, base) || !(await stat(base)).isDirectory()) {
            throw new Error(`The build's folder ${settings.baseFolder} is not a folder of the repository.`);
        }
        // Builders ask git for the dates of pages.
        const repository = join(folder, "repository");
        await writeFile(join(root, ".git"), `gitdir: ${repository}\n`, { flag: "wx" });
        await this.#execute(request, settings, { root, base, home, temporary, repository });
        signal.throwIfAborted();
        const output = await realpath(join(base, settings.outputFolder)).catch(() => undefined);
        if (output === undefined || !isWithin(root, output) || !(await stat(output)).isDirectory()) {
            throw new Error(
                `The build wrote no folder ${settings.outputFolder} in the repository: correct outputFolder.`,
            );
        }
        await checkOutput(output, build.limits.diskMegabytes * 2 ** 20);
        return output;
    }

    async #execute(
        { jobId, folder, build, signal, onLine }: BuildRequest,
        { command }: BuilderSettings,
        { root, base, home, temporary, repository }: BuildPlaces,
    ): Promise<void> {
        const { sharesNetwork, dataDir } = this.#options;
        const { limits } = build;
        const env = buildEnvironment(build.environment, this.#env, sharesNetwork);
        this.#sandbox ??= Sandbox.open("/bin/sh", this.#env, { ...forBuilds, hasNetwork: sharesNetwork });
        const hidden = {
            folders: [dataDir, ...this.#options.siteFolders()].filter(isAmongPrograms),
            files: this.#options.secretFiles.filter((file) => isAmongPrograms(file) && !isWithin(dataDir, file)),
        };
        const boxed = this.#sandbox.wrap(limited(command, base, limits), {
            checkout: root,
            home,
            temporary,
            readOnly: [repository, ...env.files],
            hidden,
        });
        const mark = ProcessMark.ofRuns(this.#folder).ofRun(jobId, randomInt(2 ** 20));
        const processes = new RunProcesses({ mark, folder });
        const disk = new DiskWatch(folder, limits.diskMegabytes * 2 ** 20, limits.maxFiles);
        const log = new BuildLog(env.secrets, onLine);
        try {
            const failure = await runProcess({
                command: mark.wrap(boxed),
                cwd: root,
                env: {
                    LANG: "C.UTF-8",
                    CI: "true",
                    ...env.variables,
                    PATH: this.#env["PATH"] ?? "/usr/bin:/bin",
                    HOME: home,
                    TMPDIR: temporary,
                    READTHEDOCS_OUTPUT: join(base, readTheDocsOutput),
                    ...mark.env,
                },
                timeLimitMs: limits.timeoutSeconds * 1000,
                signal,
                onOutput: log.addOutput,
                findExcess: async () => {
                    const { count, memoryBytes } = await processes.measure();
                    if (count > limits.maxProcesses) {
                        return `started more than ${limits.maxProcesses} processes`;
                    }
                    return memoryBytes > limits.memoryMegabytes * 2 ** 20
                        ? `took more than ${limits.memoryMegabytes} MB of memory`
                        : disk.findExcess();
                },
            });
            const end = log.end();
            if (failure !== undefined) {
                const advice =
                    !sharesNetwork && noNetwork.test(end)
                        ? " Builds have no network on this service, unless its operator sets --builds-share-network."
                        : "";
                throw new Error(`The build ${failure}.${advice}${end === "" ? "" : ` Its log ends with: ${end}`}`);
            }
        } finally {
            await processes.killAll();
        }
    }

    async #removeOld(): Promise<void> {
        for (const name of await readdir(this.#folder)) {
            const folder = join(this.#folder, name);
            const found = await stat(folder).catch(() => undefined);
            if (found !== undefined && Date.now() - found.mtimeMs > maxAgeMs) {
                await this.#remove(folder);
            }
        }
    }

    async #remove(folder: string): Promise<void> {
        const reason = await removeLeftovers(folder);
        if (reason !== undefined) {
            this.#options.logger.error(toOneLine(`Files that a build left cannot be removed: ${reason}`));
        }
    }
}

/** The operator's settings come before those of the repository. @throws BuilderFileError */
function settingsOf(sourceDir: string, build: SiteBuild): BuilderSettings {
    const found = build.command === undefined ? readBuilderFile(sourceDir) : undefined;
    const command = build.command ?? found?.command;
    const outputFolder = build.outputFolder ?? found?.outputFolder;
    if (command === undefined || outputFolder === undefined) {
        throw new Error(
            "The site's build has no command and output folder: write .static-export.yaml with build.command and " +
                "build.outputFolder into the site's folder, or give them in the sites file.",
        );
    }
    return {
        command,
        outputFolder: folderInside(outputFolder),
        baseFolder: folderInside(build.baseFolder ?? found?.baseFolder ?? "."),
    };
}

/** Address space for the code of threads, which V8 reserves and which counts as data. */
const reservedMegabytes = 4096;

/** The command with limits for each of its processes; a limit that the system does not support has no effect. */
function limited(
    command: string,
    base: string,
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
    const run = 'cd "$1" && exec /bin/sh -e -c "$2"';
    return ["/bin/sh", "-c", [...limits, run].join("\n"), "sh", base, command];
}
