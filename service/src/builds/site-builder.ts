import { randomInt } from "node:crypto";
import { mkdir, mkdtemp, realpath, stat, writeFile } from "node:fs/promises";
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
import { runProcess } from "../processes/run-process.js";
import { forBuilds, isAmongPrograms, Sandbox } from "../processes/sandbox.js";
import { type ServiceLogger } from "../shared/logger.js";
import { UserModeNetwork } from "../processes/user-mode-network.js";
import { BuildCaches, type CachedPlaces, cacheVariables } from "./build-caches.js";
import { buildEnvironment } from "./build-environment.js";
import { BuildLog } from "./build-log.js";
import { boundedCommand, installCommand } from "./build-script.js";
import { checkOutput } from "./check-output.js";
import { BuildFolders } from "./build-folders.js";
import { type Builder, type BuildRequest } from "./builder.js";
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

const noNetwork =
    /EAI_AGAIN|ENOTFOUND|ENETUNREACH|ECONNREFUSED|getaddrinfo|name resolution|resolve host|no such host|unreachable/i;

/** Runs the builders of sites in a sandbox on this machine. */
export class SiteBuilder implements Builder {
    readonly #options: SiteBuilderOptions;
    readonly #env: NodeJS.ProcessEnv;
    readonly #folders: BuildFolders;
    readonly #caches: BuildCaches;
    #system: BuildSystem | undefined;

    constructor(options: SiteBuilderOptions) {
        this.#options = options;
        this.#env = options.env ?? process.env;
        this.#folders = new BuildFolders(options.dataDir, options.logger);
        this.#caches = new BuildCaches(buildCachesIn(options.dataDir));
    }

    withFolder<T>(jobId: string, use: (folder: string) => Promise<T>): Promise<T> {
        return this.#folders.withFolder(jobId, use);
    }

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
        const mark = ProcessMark.ofRuns(this.#folders.place).ofRun(jobId, randomInt(2 ** 20));
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
                        ? ` Builds have no network on this service: ${offline}. Its operator can install passt, or set ` +
                          "--builds-share-network."
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
