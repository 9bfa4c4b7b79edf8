import { mkdir, mkdtemp, realpath } from "node:fs/promises";
import { join, relative } from "node:path";
import { replaceFile } from "@pulumi-static-export/contract/replace-file";
import { type BuilderSettings, isWithin, toOneLine } from "@pulumi-static-export/exporter";
import { DiskWatch } from "../processes/disk-watch.js";
import { RunProcesses } from "../processes/kill-processes.js";
import { ProcessMark } from "../processes/process-mark.js";
import { type ProgramUser, trustRepositories } from "../processes/program-user.js";
import { describeLimit, type EnforcedLimit, RunBounds } from "../processes/run-bounds.js";
import { RunDisks } from "../processes/run-disk.js";
import { runProcess } from "../processes/run-process.js";
import { forBuilds, isAmongPrograms, Sandbox } from "../processes/sandbox.js";
import { type ServiceLogger } from "../shared/logger.js";
import { UserModeNetwork } from "../processes/user-mode-network.js";
import { BuildCaches, type CachedPlaces } from "./build-caches.js";
import {
    type BuildEnvironment,
    buildEnvironment,
    offlineVariables,
    placeVariables,
    usualVariables,
} from "./build-environment.js";
import { adviceOnPackages, buildError } from "./build-failure.js";
import { BuildLog } from "./build-log.js";
import { boundedCommand, prepareCommand } from "./build-script.js";
import { BuildFolders } from "./build-folders.js";
import { type Builder, type BuildRequest, cacheOf } from "./builder.js";
import { hideValues } from "./hidden-values.js";
import { findBase, findOutput, settingsOf } from "./build-settings.js";
import { type BuildLimits } from "./site-build.js";

export interface SiteBuilderOptions {
    /** Contains secrets, and the folders of builds. */
    dataDir: string;
    /** Further files with secrets. */
    secretFiles: readonly string[];
    /** Whether builds share the network of the service; otherwise they reach public addresses, if the machine can. */
    sharesNetwork: boolean;
    /** Private networks that builds reach as well. @default none */
    reach?: readonly string[];
    /** Whether builds fail if the kernel does not enforce all of their limits. @default false */
    needsKernel?: boolean;
    /** The folders of sites, which builds of other sites must not see. */
    siteFolders: () => readonly string[];
    /** @default process.env */
    env?: NodeJS.ProcessEnv;
    logger: ServiceLogger;
}

/** Real paths. */
interface BuildPlaces extends CachedPlaces {
    readonly temporary: string;
}

/** How the builds of a service run. */
interface BuildSystem {
    readonly bounds: RunBounds;
    readonly sandbox: Sandbox;
    /** Undefined if builds share the network of the service, or have none. */
    readonly network: UserModeNetwork | undefined;
    /** Why builds have no network. */
    readonly offline: string | undefined;
}

/**
 * Where every build sees its folders, also in pods: builders write paths into their output and caches, which would
 * otherwise differ in each build.
 */
const seenPlaces = { root: "/work/site", home: "/work/home" };

const noNetwork = new RegExp(
    [
        "EAI_AGAIN|ENOTFOUND|ENETUNREACH|ECONNREFUSED|getaddrinfo|name resolution|resolve host|no such host",
        "unreachable",
        // Package managers that use only their cache.
        "ENOTCACHED|npm cannot install|offline|DNS|network connectivity is disabled|No matching distribution",
        "blocked because of your configuration",
    ].join("|"),
    "i",
);

const unreachable = /ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|connection refused|network is unreachable/i;

/** Runs the builders of sites in a sandbox on this machine. */
export class SiteBuilder implements Builder {
    readonly #options: SiteBuilderOptions;
    readonly #env: NodeJS.ProcessEnv;
    readonly #folders: BuildFolders;
    readonly #caches: BuildCaches;
    readonly #disks: RunDisks;
    #system: BuildSystem | undefined;

    constructor(options: SiteBuilderOptions) {
        this.#options = options;
        this.#env = options.env ?? process.env;
        this.#disks = new RunDisks(options.dataDir);
        this.#folders = new BuildFolders(options.dataDir, options.logger, this.#disks);
        this.#caches = new BuildCaches(buildCachesIn(options.dataDir));
    }

    enforcedLimits(): readonly EnforcedLimit[] {
        return this.#system?.bounds.limits() ?? [];
    }

    /** Logs how this machine enforces the limits of builds, or why it cannot run any. */
    reportLimits(): void {
        try {
            this.#system ??= this.#openSystem();
        } catch (error) {
            this.#options.logger.error(toOneLine(`Builds of sites fail here: ${(error as Error).message}`));
        }
    }

    withFolder<T>(jobId: string, limits: BuildLimits, use: (folder: string) => Promise<T>): Promise<T> {
        return this.#folders.withFolder(jobId, limits, use);
    }

    async run(request: BuildRequest): Promise<string> {
        if (request.build.image !== undefined) {
            throw new Error("build.image needs a service on Kubernetes whose builds run in pods.");
        }
        this.#system ??= this.#openSystem();
        const system = this.#system;
        const { secrets } = this.#environmentOf(request, system);
        return hideValues(secrets, request, (hiding) => this.#run(hiding, system));
    }

    #environmentOf({ build }: BuildRequest, { offline }: BuildSystem): BuildEnvironment {
        return buildEnvironment(build.environment, this.#env, offline === undefined);
    }

    async #run(request: BuildRequest, { bounds, offline }: BuildSystem): Promise<string> {
        const { folder, checkout, sourceDir, build, signal, onLine } = request;
        const cacheName = cacheOf(request);
        this.#reportWeakLimits(bounds, folder, onLine);
        const settings = settingsOf(sourceDir, build);
        if (offline !== undefined && settings.install !== undefined) {
            onLine(`Builds have no network on this service, so packages are taken from the cache only: ${offline}.`);
        }
        const [home, temporary] = [join(folder, "home"), join(folder, "tmp")];
        await Promise.all([home, temporary].map((path) => mkdir(path)));
        const root = await realpath(checkout);
        const base = await findBase(root, sourceDir, settings.baseFolder);
        // Builders ask git for the dates of pages, or are libraries that read a repository themselves.
        await replaceFile(join(folder, "repository"), join(root, ".git"));
        const places = { root, base, home, temporary, cache: join(folder, "cache") };
        await (cacheName === undefined ? mkdir(join(home, ".cache")) : this.#caches.take(cacheName, places));
        const user = bounds.userForRun();
        const deadlineMs = performance.now() + build.limits.timeoutSeconds * 1000;
        const preparation = prepareCommand(settings, { base, root });
        if (preparation !== undefined) {
            await this.#execute(request, { ...settings, command: preparation }, places, { user, deadlineMs });
        }
        await this.#caches.restoreFolders(places);
        await this.#execute(request, settings, places, { user, deadlineMs });
        signal.throwIfAborted();
        const { cacheMegabytes, diskMegabytes } = build.limits;
        const maxBytes = diskMegabytes * 2 ** 20;
        const output = await findOutput(places, settings.outputFolder, maxBytes, onLine);
        if (cacheName !== undefined) {
            await this.#caches.keep(cacheName, places, { output, cacheMegabytes, onLine });
        }
        return output;
    }

    /** @throws if the operator allows builds only with limits that the kernel enforces */
    #reportWeakLimits(bounds: RunBounds, folder: string, onLine: (line: string) => void): void {
        const hasDisk = this.#folders.diskOf(folder) !== undefined;
        const lines = bounds
            .limits(hasDisk)
            .flatMap((limit) => (limit.by === "the kernel" ? [] : [`Limit of this build: ${describeLimit(limit)}.`]));
        if (this.#options.needsKernel === true && lines.length > 0) {
            throw new Error(`The service builds only where the kernel enforces all limits. ${lines.join(" ")}`);
        }
        lines.forEach(onLine);
    }

    async #execute(
        request: BuildRequest,
        settings: BuilderSettings,
        { root, base, home, temporary }: BuildPlaces,
        { user, deadlineMs }: { readonly user: ProgramUser | undefined; readonly deadlineMs: number },
    ): Promise<void> {
        const { folder, build, signal, onLine } = request;
        const { dataDir } = this.#options;
        const { limits } = build;
        this.#system ??= this.#openSystem();
        const { bounds, sandbox, network, offline } = this.#system;
        const env = this.#environmentOf(request, this.#system);
        const variables = { ...build.variables, ...env.variables };
        const hidden = {
            folders: [dataDir, ...this.#options.siteFolders()].filter(isAmongPrograms),
            files: this.#options.secretFiles.filter((file) => isAmongPrograms(file) && !isWithin(dataDir, file)),
        };
        const networkFolder = network && (await mkdtemp(join(folder, "network-")));
        const connected = networkFolder === undefined ? undefined : await network?.connect(networkFolder);
        const seen = { ...seenPlaces, base: join(seenPlaces.root, relative(root, base)) };
        const boxed = sandbox.wrap(boundedCommand(settings, { base, root }, seen, limits), {
            checkout: root,
            home,
            seen: { checkout: seen.root, home: seen.home },
            temporary,
            readOnly: env.files,
            resolvConf: connected?.resolvConf,
            hidden,
        });
        const networked = connected?.wrap(boxed) ?? boxed;
        const mark = ProcessMark.ofRun(this.#folders.place, folder);
        const group = bounds.groupOf(folder, mark, limits);
        const ownDisk = this.#folders.diskOf(folder);
        const disk = ownDisk ?? watchDisk(folder, mark, limits, user);
        const findExcess = async () => (await group.findExcess()) ?? disk.findExcess();
        const log = new BuildLog(env.secrets, onLine);
        try {
            await user?.give(folder);
            const failure = await runProcess({
                command: group.wrap(mark.wrap(user?.wrap(networked, folder, env.files) ?? networked)),
                // The folder may belong to the build's user.
                cwd: "/",
                env: {
                    ...usualVariables(seen.home),
                    ...(offline === undefined ? {} : offlineVariables),
                    ...variables,
                    PATH: this.#env["PATH"] ?? "/usr/bin:/bin",
                    ...placeVariables({ ...seen, temporary: "/tmp" }),
                    ...(user && trustRepositories(variables)),
                    ...mark.env,
                },
                timeLimitMs: Math.max(1, deadlineMs - performance.now()),
                signal,
                onOutput: log.addOutput,
                findExcess,
            });
            const end = log.end();
            if (failure !== undefined) {
                const advice = [
                    ...adviceOnNetwork(end, offline, network !== undefined),
                    ...adviceOnPackages(end, variables["NODE_ENV"]),
                ];
                const roomMegabytes = Math.floor((ownDisk?.maxBytes ?? Infinity) / 2 ** 20);
                const room = roomMegabytes < limits.diskMegabytes ? roomMegabytes : undefined;
                throw buildError(failure, end, limits, advice, room);
            }
        } finally {
            await group.end();
            await user?.takeBack(folder);
        }
    }

    /** @throws ServiceOptionsError if the machine has no sandbox */
    #openSystem(): BuildSystem {
        const { sharesNetwork, reach = [], logger } = this.#options;
        const bounds = RunBounds.open(this.#disks, this.#env);
        const user = bounds.userForRun();
        const network = sharesNetwork ? undefined : UserModeNetwork.open(reach, this.#env, user);
        const offline = typeof network === "string" ? network : undefined;
        const sandbox = Sandbox.open("/bin/sh", this.#env, { ...forBuilds, hasNetwork: offline === undefined });
        for (const limit of bounds.limits()) {
            logger.info(toOneLine(`Limit of builds: ${describeLimit(limit)}.`));
        }
        if (offline !== undefined) {
            logger.info(toOneLine(`Builds of sites have no network: ${offline}.`));
        }
        return { bounds, sandbox, network: typeof network === "string" ? undefined : network, offline };
    }
}

/** Measures the files of a build that shares its file system with other builds. */
function watchDisk(folder: string, mark: ProcessMark, { diskMegabytes, maxFiles }: BuildLimits, user?: ProgramUser) {
    const processes = new RunProcesses({ mark, folder });
    const disk = new DiskWatch(folder, diskMegabytes * 2 ** 20, { maxFiles, user });
    return { findExcess: async () => disk.findExcess((await processes.measure()).deletedBytes) };
}

/** Names the settings that give a network to a build that failed without one. */
function adviceOnNetwork(logEnd: string, offline: string | undefined, isBounded: boolean): string[] {
    return [
        ...(offline !== undefined && noNetwork.test(logEnd)
            ? [
                  `Builds have no network on this service: ${offline}. Its operator can install passt, or set ` +
                      "--builds-share-network.",
              ]
            : []),
        ...(isBounded && unreachable.test(logEnd)
            ? ["Builds reach public addresses only: --builds-reach adds a private network."]
            : []),
    ];
}

/** The folder with the cache of each site. */
export function buildCachesIn(dataDir: string): string {
    return join(dataDir, "build-caches");
}
