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
import { UserModeNetwork } from "../processes/user-mode-network.js";
import { BuildCaches, type CachedPlaces, cacheVariables } from "./build-caches.js";
import { buildEnvironment } from "./build-environment.js";
import { BuildLog } from "./build-log.js";
import { boundedCommand, installCommand } from "./build-script.js";
import { checkOutput } from "./check-output.js";
import { type SiteBuild } from "./site-build.js";

export interface SiteBuilderOptions {
    /** Contains secrets, and the folders of builds. */
    dataDir: string;
    /** Further files with secrets. */
    secretFiles: readonly string[];
    /** Whether builds share the network of the service; otherwise they reach public addresses, if the machine can. */
    sharesNetwork: boolean;
    /** Private networks that builds reach as well. @default none */
    reach?: readonly string[];
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
    /** The name of the site's cache. @default builds have no cache */
    cacheName?: string | undefined;
    signal: AbortSignal;
    /** Called with each line of the builder's log. */
    onLine: (line: string) => void;
}

/** Real paths. */
interface BuildPlaces extends CachedPlaces {
    readonly temporary: string;
    readonly repository: string;
}

/** How the builds of a service run. */
interface BuildSystem {
    readonly sandbox: Sandbox;
    /** Undefined if builds share the network of the service, or have none. */
    readonly network: UserModeNetwork | undefined;
    /** Why builds have no network. */
    readonly offline: string | undefined;
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
    readonly #caches: BuildCaches;
    #system: BuildSystem | undefined;

    constructor(options: SiteBuilderOptions) {
        this.#options = options;
        this.#env = options.env ?? process.env;
        this.#folder = join(options.dataDir, "builds");
        this.#caches = new BuildCaches(buildCachesIn(options.dataDir));
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
        const { folder, checkout, sourceDir, build, cacheName, signal, onLine } = request;
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
        const places = { root, base, home, temporary, repository, cache: join(folder, "cache") };
        await (cacheName === undefined ? mkdir(join(home, ".cache")) : this.#caches.take(cacheName, places));
        const deadlineMs = performance.now() + build.limits.timeoutSeconds * 1000;
        const install = installCommand(settings);
        if (install !== undefined) {
            await this.#execute(request, { ...settings, command: install }, places, deadlineMs);
        }
        await this.#caches.restoreFolders(places);
        await this.#execute(request, settings, places, deadlineMs);
        signal.throwIfAborted();
        const output = await realpath(join(base, settings.outputFolder)).catch(() => undefined);
        if (output === undefined || !isWithin(root, output) || !(await stat(output)).isDirectory()) {
            throw new Error(
                `The build wrote no folder ${settings.outputFolder} in the repository: correct outputFolder.`,
            );
        }
        await checkOutput(output, build.limits.diskMegabytes * 2 ** 20);
        const { cacheMegabytes } = build.limits;
        if (
            cacheName !== undefined &&
            !(await this.#caches.keep(cacheName, places, output, cacheMegabytes * 2 ** 20))
        ) {
            onLine(`The build's cache is not kept: it has more than ${cacheMegabytes} MB.`);
        }
        return output;
    }

    async #execute(
        { jobId, folder, build, signal, onLine }: BuildRequest,
        settings: BuilderSettings,
        { root, base, home, temporary, repository }: BuildPlaces,
        deadlineMs: number,
    ): Promise<void> {
        const { dataDir } = this.#options;
        const { limits } = build;
        this.#system ??= this.#openSystem();
        const { sandbox, network, offline } = this.#system;
        const env = buildEnvironment(build.environment, this.#env, offline === undefined);
        const hidden = {
            folders: [dataDir, ...this.#options.siteFolders()].filter(isAmongPrograms),
            files: this.#options.secretFiles.filter((file) => isAmongPrograms(file) && !isWithin(dataDir, file)),
        };
        const connected = await network?.connect(await mkdtemp(join(folder, "network-")));
        const boxed = sandbox.wrap(boundedCommand(settings.command, { base, root }, settings, limits), {
            checkout: root,
            home,
            temporary,
            readOnly: [repository, ...env.files],
            resolvConf: connected?.resolvConf,
            hidden,
        });
        const mark = ProcessMark.ofRuns(this.#folder).ofRun(jobId, randomInt(2 ** 20));
        const processes = new RunProcesses({ mark, folder });
        const disk = new DiskWatch(folder, limits.diskMegabytes * 2 ** 20, limits.maxFiles);
        const log = new BuildLog(env.secrets, onLine);
        try {
            const failure = await runProcess({
                command: mark.wrap(connected?.wrap(boxed) ?? boxed),
                cwd: root,
                env: {
                    LANG: "C.UTF-8",
                    CI: "true",
                    ...cacheVariables(home),
                    ...env.variables,
                    PATH: this.#env["PATH"] ?? "/usr/bin:/bin",
                    HOME: home,
                    TMPDIR: temporary,
                    READTHEDOCS_OUTPUT: join(base, readTheDocsOutput),
                    ...mark.env,
                },
                timeLimitMs: Math.max(1, deadlineMs - performance.now()),
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
                    offline !== undefined && noNetwork.test(end)
                        ? ` Builds have no network on this service: ${offline}. Its operator can install passt, or set --builds-share-network.`
                        : "";
                throw new Error(`The build ${failure}.${advice}${end === "" ? "" : ` Its log ends with: ${end}`}`);
            }
        } finally {
            await processes.killAll();
        }
    }

    /** @throws ServiceOptionsError if the machine has no sandbox */
    #openSystem(): BuildSystem {
        const { sharesNetwork, reach = [], logger } = this.#options;
        const network = sharesNetwork ? undefined : UserModeNetwork.open(reach, this.#env);
        const offline = typeof network === "string" ? network : undefined;
        const sandbox = Sandbox.open("/bin/sh", this.#env, { ...forBuilds, hasNetwork: offline === undefined });
        if (offline !== undefined) {
            logger.info(toOneLine(`Builds of sites have no network: ${offline}.`));
        }
        return { sandbox, network: typeof network === "string" ? undefined : network, offline };
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
function settingsOf(sourceDir: string, { environment, limits, ...build }: SiteBuild): BuilderSettings {
    const settings: Partial<BuilderSettings> = {
        ...(build.command === undefined ? readBuilderFile(sourceDir) : {}),
        ...build,
    };
    const { command, outputFolder, baseFolder = "." } = settings;
    if (command === undefined || outputFolder === undefined) {
        throw new Error(
            "The site's build has no command and output folder: write .static-export.yaml with build.command and " +
                "build.outputFolder into the site's folder, or give them in the sites file.",
        );
    }
    return {
        ...settings,
        command,
        outputFolder: folderInside(outputFolder),
        baseFolder: folderInside(baseFolder),
    };
}

/** The folder with the cache of each site. */
export function buildCachesIn(dataDir: string): string {
    return join(dataDir, "build-caches");
}
