import { existsSync } from "node:fs";
import { mkdir, realpath } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join, relative } from "node:path";
import { replaceFile } from "@pulumi-static-export/contract/replace-file";
import { toOneLine } from "@pulumi-static-export/exporter";
import { removeLeftovers } from "../processes/remove-leftovers.js";
import { type ServiceLogger } from "../shared/logger.js";
import { BuildFolders } from "../builds/build-folders.js";
import { LostBuildError } from "./build-frames.js";
import { createBuildJob, ownerLabel, type WorkerPod } from "./build-job.js";
import { asFields, asList, assertVariables, type BuildPods } from "./build-pods.js";
import { findBase, settingsOf } from "../builds/build-settings.js";
import { packedCache } from "./build-step.js";
import { BuildTransfers } from "./build-transfers.js";
import { type Builder, type BuildRequest, cacheOf } from "../builds/builder.js";
import { defaultTimes, type JobTimes, JobWatch } from "./job-watch.js";
import { type KubernetesApi, KubernetesError } from "./kubernetes-api.js";

interface PodBuilderOptions {
    /** Contains the checkouts, the finished sites and the caches. */
    dataDir: string;
    pods: BuildPods;
    api: KubernetesApi;
    /** The address at which pods fetch checkouts. */
    listen: { readonly host: string; readonly port: number };
    /** The folder with the cache of each site. */
    caches: string;
    env: NodeJS.ProcessEnv;
    logger: ServiceLogger;
    /** @default defaultTimes */
    times?: Partial<JobTimes>;
}

/** Builds that were lost together with their pod start again this many times. */
const maxLost = 2;

interface OpenPart {
    readonly transfers: BuildTransfers;
    readonly worker: WorkerPod;
    readonly port: number;
}

/** Runs each build as a Job of the Kubernetes cluster in which this process runs. */
export class PodBuilder implements Builder {
    readonly #options: PodBuilderOptions;
    readonly #times: JobTimes;
    readonly #folders: BuildFolders;
    #opening: Promise<OpenPart> | undefined;

    constructor(options: PodBuilderOptions) {
        this.#options = options;
        this.#times = { ...defaultTimes, ...options.times };
        this.#folders = new BuildFolders(options.dataDir, options.logger);
    }

    withFolder<T>(jobId: string, use: (folder: string) => Promise<T>): Promise<T> {
        return this.#folders.withFolder(jobId, use);
    }

    async close(): Promise<void> {
        (await this.#opening?.catch(() => undefined))?.transfers.close();
    }

    async run(request: BuildRequest): Promise<string> {
        const { folder, checkout, build, signal, onLine } = request;
        const cacheName = cacheOf(request);
        assertVariables(build.environment, this.#options.pods);
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
                if (!(error instanceof LostBuildError)) {
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
        const settings = settingsOf(sourceDir, build);
        const root = await realpath(checkout);
        const base = await findBase(root, sourceDir, settings.baseFolder);
        const baseFolder = relative(root, base);
        const { transfers, worker, port } = await this.#open();
        const sent = [relative(folder, checkout)];
        if (existsSync(join(folder, packedCache))) {
            sent.push(packedCache);
        }
        const transfer = transfers.expect({ folder, sent, received, limits: build.limits, onLine });
        const address = worker.address.includes(":") ? `[${worker.address}]` : worker.address;
        const job = createBuildJob(
            {
                ...{ jobId, build, settings, here: { root, base }, owner: worker },
                maxWaitSeconds: this.#times.maxWaitMs / 1000,
                step: {
                    url: `http://${address}:${port}${transfer.path}`,
                    token: transfer.token,
                    ...{ baseFolder, outputFolder: settings.outputFolder, diskMegabytes: build.limits.diskMegabytes },
                    ...(cacheOf(request) === undefined ? {} : { cacheMegabytes: build.limits.cacheMegabytes }),
                },
            },
            this.#options.pods,
        );
        const { name } = job.metadata;
        const done = new AbortController();
        const { pods, api, env } = this.#options;
        const stopped = AbortSignal.any([signal, done.signal]);
        const watch = new JobWatch({ ...this.#times, name, request, pods, api, env, signal: stopped });
        let isEnded = false;
        try {
            await watch.create(job);
            const refused = transfer.received.then(
                () => undefined,
                async (error: Error) => {
                    if (error instanceof LostBuildError) {
                        // Kubernetes may say a little later why the pod has ended.
                        await watch.afterReads(3);
                        throw error;
                    }
                    return error;
                },
            );
            const refusal = await Promise.race([refused, watch.fails()]);
            await watch.readLog();
            if (refusal !== undefined) {
                throw refusal;
            }
            isEnded = true;
        } catch (error) {
            isEnded = watch.isEnded;
            throw error;
        } finally {
            done.abort();
            await transfer.close();
            // Kubernetes deletes the Jobs that have ended by themselves after a while.
            await (isEnded ? undefined : this.#delete(name));
        }
    }

    #open(): Promise<OpenPart> {
        this.#opening ??= this.#start().catch((error: unknown) => {
            this.#opening = undefined;
            throw error;
        });
        return this.#opening;
    }

    async #start(): Promise<OpenPart> {
        const { api, listen, env } = this.#options;
        const name = env["POD_NAME"] ?? hostname();
        const { metadata, status } = await api.request("GET", "/api/v1", `/pods/${name}`);
        const worker = { name, uid: String(asFields(metadata)["uid"]), address: String(asFields(status)["podIP"]) };
        // A container of this pod that has ended may have left Jobs.
        const selector = new URLSearchParams({ labelSelector: `${ownerLabel}=${worker.uid}` }).toString();
        const { items } = await api.request("GET", "/apis/batch/v1", `/jobs?${selector}`);
        await Promise.all(
            asList(items).map((job) => this.#delete(String(asFields(asFields(job)["metadata"])["name"]))),
        );
        const transfers = new BuildTransfers();
        return { transfers, worker, port: await transfers.listen(listen) };
    }

    /** Deletes a Job with its pod. */
    async #delete(name: string): Promise<void> {
        const { api, logger } = this.#options;
        const body = { propagationPolicy: "Background" };
        await api.request("DELETE", "/apis/batch/v1", `/jobs/${name}`, { body }).catch((error: unknown) => {
            if (!(error instanceof KubernetesError) || error.status !== 404) {
                logger.error(toOneLine(`Job ${name} of a build cannot be deleted: ${(error as Error).message}`));
            }
        });
    }

    async #keepCache(site: string, cache: string): Promise<void> {
        const kept = join(this.#options.caches, site, packedCache);
        await mkdir(dirname(kept), { recursive: true, mode: 0o700 });
        await replaceFile(cache, kept).catch(() => undefined);
    }
}
