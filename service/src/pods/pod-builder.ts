import { existsSync } from "node:fs";
import { mkdir, realpath } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { replaceFile } from "@pulumi-static-export/contract/replace-file";
import { BuildCaches } from "../builds/build-caches.js";
import { placeVariables, usualVariables } from "../builds/build-environment.js";
import { adviceOnPackages, buildError } from "../builds/build-failure.js";
import { BuildFolders } from "../builds/build-folders.js";
import { BuildLog } from "../builds/build-log.js";
import { containerCommand } from "../builds/build-script.js";
import { findBase, settingsOf } from "../builds/build-settings.js";
import { type Builder, type BuildRequest, cacheOf } from "../builds/builder.js";
import { hideValues } from "../builds/hidden-values.js";
import { type BuildLimits } from "../builds/site-build.js";
import { removeLeftovers } from "../processes/remove-leftovers.js";
import { LostPodError } from "./frames.js";
import { PodJobs, type PodJobsOptions } from "./pod-jobs.js";
import { assertVariables, passwordsIn } from "./pod-settings.js";
import { packedCache, podFolder, podPlaces } from "./pod-step.js";

interface PodBuilderOptions extends PodJobsOptions {
    /** Contains the checkouts, the finished sites and the caches. */
    dataDir: string;
    /** The folder with the cache of each site. */
    caches: string;
}

/** Builds that were lost together with their pod start again this many times. */
const maxLost = 2;

/** Runs each build as a Job of the Kubernetes cluster in which this process runs. */
export class PodBuilder implements Builder {
    readonly #options: PodBuilderOptions;
    readonly #jobs: PodJobs;
    readonly #folders: BuildFolders;

    constructor(options: PodBuilderOptions) {
        this.#options = options;
        this.#jobs = new PodJobs(options);
        this.#folders = new BuildFolders(options.dataDir, options.logger);
    }

    withFolder<T>(jobId: string, limits: BuildLimits, use: (folder: string) => Promise<T>): Promise<T> {
        return this.#folders.withFolder(jobId, limits, use);
    }

    close(): Promise<void> {
        return this.#jobs.close();
    }

    async run(request: BuildRequest): Promise<string> {
        assertVariables("build", request.build.environment, this.#jobs.settings);
        return hideValues(this.#secretsOf(request), request, (hiding) => this.#run(hiding));
    }

    #secretsOf({ build: { environment } }: BuildRequest): string[] {
        const { env } = this.#options;
        return [...environment.flatMap((name) => env[name] ?? []), ...passwordsIn(this.#jobs.settings)];
    }

    async #run(request: BuildRequest): Promise<string> {
        const { folder, checkout, signal, onLine } = request;
        const cacheName = cacheOf(request);
        if (cacheName !== undefined) {
            // A cache that makes builds fail is not used again.
            const kept = join(this.#options.caches, cacheName, packedCache);
            await replaceFile(kept, join(folder, packedCache)).catch(() => undefined);
        }
        // Builders ask git for the dates of pages, or are libraries that read a repository themselves.
        await replaceFile(join(folder, "repository"), join(checkout, ".git"));
        for (let lost = 0; ; lost += 1) {
            const output = join(folder, "output");
            const cache = join(folder, "new-cache.tar");
            await Promise.all([removeLeftovers(output), removeLeftovers(cache)]);
            try {
                await this.#build(request, { output, cache });
                await (cacheName === undefined ? undefined : this.#keepCache(cacheName, cache));
                return output;
            } catch (error) {
                signal.throwIfAborted();
                if (!(error instanceof LostPodError)) {
                    throw error;
                }
                if (lost === maxLost) {
                    throw new Error(`The build was lost ${maxLost + 1} times: ${error.message}.`, { cause: error });
                }
                onLine(`${error.message}: the build starts again.`);
            }
        }
    }

    async #build(request: BuildRequest, received: { readonly output: string; readonly cache: string }): Promise<void> {
        const { jobId, folder, checkout, sourceDir, build, signal, onLine } = request;
        const { limits, image, environment } = build;
        // Kubernetes counts neither files nor processes.
        const { maxFiles: _files, maxProcesses: _processes, ...counted } = limits;
        const { diskMegabytes, cacheMegabytes } = limits;
        const settings = settingsOf(sourceDir, build);
        const here = await realpath(checkout);
        const hereBase = await findBase(here, sourceDir, settings.baseFolder);
        const baseFolder = relative(here, hereBase);
        const { root, base, home, cache } = podPlaces(podFolder, baseFolder);
        const { env } = this.#options;
        const nodeEnv = environment.includes("NODE_ENV") ? env["NODE_ENV"] : build.variables?.["NODE_ENV"];
        await this.#jobs.run({
            ...{ kind: "build", jobId, image, environment, folder, received, limits, signal, onLine },
            command: containerCommand(
                settings,
                { root: here, base: hereBase },
                { base, root },
                BuildCaches.restoreScript(cache),
            ),
            variables: {
                ...usualVariables(home),
                ...build.variables,
                ...placeVariables({ base, home, temporary: "/tmp" }),
            },
            sent: [relative(folder, checkout), ...(existsSync(join(folder, packedCache)) ? [packedCache] : [])],
            output: {
                ...{ baseFolder, outputFolder: settings.outputFolder, diskMegabytes },
                ...(cacheOf(request) === undefined ? {} : { cacheMegabytes }),
            },
            log: new BuildLog(this.#secretsOf(request), onLine),
            explain: (reason, end) => buildError(reason, end, counted, adviceOnPackages(end, nodeEnv)),
        });
    }

    async #keepCache(site: string, cache: string): Promise<void> {
        const kept = join(this.#options.caches, site, packedCache);
        await mkdir(dirname(kept), { recursive: true, mode: 0o700 });
        await replaceFile(cache, kept).catch(() => undefined);
    }
}
