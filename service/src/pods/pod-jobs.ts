import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { toOneLine } from "@pulumi-static-export/exporter";
import { type ServiceLogger } from "../shared/logger.js";
import { FailedCommandError } from "./command-end.js";
import { LostPodError } from "./frames.js";
import { defaultTimes, type JobTimes, JobWatch } from "./job-watch.js";
import { KubernetesApi, KubernetesError } from "./kubernetes-api.js";
import { createJob, ownerLabel, type WorkerPod } from "./pod-job.js";
import { asFields, asList, type PodSettings, readPodSettings } from "./pod-settings.js";
import { type PodWork } from "./pod-work.js";
import { Transfers } from "./transfers.js";

/** The file with the settings of pods, and the address at which the pods fetch checkouts. */
export interface PodsOptions {
    readonly file: string;
    readonly host: string;
    readonly port: number;
}

/** Where commands run in pods. */
export interface PodPlace {
    readonly settings: PodSettings;
    readonly api: KubernetesApi;
    /** The address at which pods fetch checkouts. */
    readonly listen: { readonly host: string; readonly port: number };
    /** @default defaultTimes */
    readonly times?: Partial<JobTimes> | undefined;
}

/** @throws ServiceOptionsError outside of a pod, or for a file with mistakes */
export function openPodPlace({ file, ...listen }: PodsOptions, env: NodeJS.ProcessEnv): PodPlace {
    return { settings: readPodSettings(file), api: KubernetesApi.ofThisPod(env), listen };
}

export interface PodJobsOptions extends PodPlace {
    readonly env: NodeJS.ProcessEnv;
    readonly logger: ServiceLogger;
}

interface OpenPart {
    readonly transfers: Transfers;
    readonly worker: WorkerPod;
    readonly port: number;
}

/** Runs each command as a Job of the Kubernetes cluster in which this process runs. */
export class PodJobs {
    readonly #options: PodJobsOptions;
    readonly #times: JobTimes;
    #opening: Promise<OpenPart> | undefined;

    constructor(options: PodJobsOptions) {
        this.#options = options;
        this.#times = { ...defaultTimes, ...options.times };
    }

    get settings(): PodSettings {
        return this.#options.settings;
    }

    /** Listens for pods, and deletes the Jobs that an earlier process of this pod has left. */
    async open(): Promise<void> {
        await this.#open();
    }

    async close(): Promise<void> {
        (await this.#opening?.catch(() => undefined))?.transfers.close();
    }

    /**
     * Resolves when the command has ended well, and its whole output was received.
     * @throws LostPodError, FailedCommandError, or an error with the reason for which the command has failed
     */
    async run(work: PodWork): Promise<void> {
        const { transfers, worker, port } = await this.#open();
        const transfer = transfers.expect(work);
        const address = worker.address.includes(":") ? `[${worker.address}]` : worker.address;
        const { settings, api } = this.#options;
        const job = createJob(
            {
                ...{ work, owner: worker, maxWaitSeconds: this.#times.maxWaitMs / 1000 },
                step: {
                    ...{ url: `http://${address}:${port}${transfer.path}`, token: transfer.token },
                    ...(work.output === undefined ? {} : { output: work.output }),
                },
            },
            settings,
        );
        const { name } = job.metadata;
        const done = new AbortController();
        const signal = AbortSignal.any([work.signal, done.signal]);
        const watch = new JobWatch({ ...this.#times, name, work, settings, api, signal });
        let isEnded = false;
        try {
            await watch.create(job);
            const refused = transfer.received.then(
                () => undefined,
                async (error: Error) => {
                    if (error instanceof LostPodError) {
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
            isEnded = watch.isEnded || error instanceof FailedCommandError;
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
        const worker = await this.#ownPod(name);
        // A container of this pod that has ended may have left Jobs.
        const selector = new URLSearchParams({ labelSelector: `${ownerLabel}=${worker.uid}` }).toString();
        const { items } = await api.request("GET", "/apis/batch/v1", `/jobs?${selector}`);
        await Promise.all(
            asList(items).map((job) => this.#delete(String(asFields(asFields(job)["metadata"])["name"]))),
        );
        const transfers = new Transfers();
        return { transfers, worker, port: await transfers.listen(listen) };
    }

    /** Waits for the pod's address, which Kubernetes may store later than the pod starts. */
    async #ownPod(name: string): Promise<WorkerPod> {
        const { pollMs, maxStuckMs } = this.#times;
        for (const endMs = performance.now() + maxStuckMs; ;) {
            const { metadata, status } = await this.#options.api.request("GET", "/api/v1", `/pods/${name}`);
            const { podIP: address } = asFields(status);
            if (typeof address === "string" && address !== "") {
                return { name, uid: String(asFields(metadata)["uid"]), address };
            }
            if (performance.now() > endMs) {
                throw new Error(`The worker's pod ${name} has no address, so no pod can fetch its checkout.`);
            }
            await sleep(pollMs);
        }
    }

    /** Deletes a Job with its pod. */
    async #delete(name: string): Promise<void> {
        const { api, logger } = this.#options;
        const body = { propagationPolicy: "Background" };
        await api.request("DELETE", "/apis/batch/v1", `/jobs/${name}`, { body }).catch((error: unknown) => {
            if (!(error instanceof KubernetesError) || error.status !== 404) {
                logger.error(toOneLine(`Job ${name} cannot be deleted: ${(error as Error).message}`));
            }
        });
    }
}
