import { setTimeout as sleep } from "node:timers/promises";
import { toOneLine } from "@pulumi-static-export/exporter";
import { LostPodError } from "./frames.js";
import { type KubernetesApi, KubernetesError } from "./kubernetes-api.js";
import { asFields, asList, type PodSettings } from "./pod-settings.js";
import { type PodStatus, readPodStatus } from "./pod-status.js";
import { type PodWork } from "./pod-work.js";
import { TimedLog } from "./timed-log.js";
import { sayReached } from "../shared/reached-limit.js";

export const defaultTimes = {
    pollMs: 2000,
    /** How long a pod may wait for quota and for a node; its image is pulled within the time of the command. */
    maxWaitMs: 600_000,
    /** How long a pod may wait for an image that cannot be pulled. */
    maxStuckMs: 120_000,
    /** How long the end of a log may take. */
    logMs: 10_000,
};

const maxLogAttempts = 3;

export type JobTimes = Readonly<typeof defaultTimes>;

interface JobWatchOptions extends JobTimes {
    readonly name: string;
    readonly work: PodWork;
    readonly settings: PodSettings;
    readonly api: KubernetesApi;
    readonly signal: AbortSignal;
}

/** Watches one Job. */
export class JobWatch {
    readonly #options: JobWatchOptions;
    readonly #startedMs = performance.now();
    #pod: string | undefined;
    /** How often the pod was read without a reason to end. */
    #reads = 0;
    /** Resolves when the log was read to its end. */
    #logEnded: Promise<void> | undefined;
    /** Whether the command has ended, so that its log gets no more lines. */
    #isOver = false;
    readonly #over = Promise.withResolvers<void>();
    /** Why the last request for the pod's state failed. */
    #unread: Error | undefined;
    /** Whether the Job has ended by itself. */
    isEnded = false;

    constructor(options: JobWatchOptions) {
        this.#options = options;
    }

    /** Creates the Job, and waits while a quota is full. */
    async create(job: object): Promise<void> {
        const { signal, maxWaitMs, pollMs } = this.#options;
        let isNoted = false;
        for (;;) {
            try {
                await this.#options.api.request("POST", "/apis/batch/v1", "/jobs", { body: job, signal });
                return;
            } catch (error) {
                signal.throwIfAborted();
                const { status, message } = error as KubernetesError;
                if (isConflict(error)) {
                    // The answer to an earlier attempt was lost.
                    return;
                }
                const isFull = status === 403 && message.includes("exceeded quota");
                // 409: two Jobs at the same time changed a quota, for example.
                const isTemporary = isFull || status === 409 || status === 429 || status >= 500;
                if (error instanceof KubernetesError && !isTemporary) {
                    throw new Error(`Kubernetes refuses the Job of the ${this.#options.work.kind}: ${message}`, {
                        cause: error,
                    });
                }
                if (this.#waitedMs > maxWaitMs) {
                    throw this.#waitError(message, error);
                }
                if (!isNoted) {
                    isNoted = true;
                    this.#options.work.onLine(`The ${this.#options.work.kind} waits for Kubernetes: ${message}`);
                }
                await sleep(pollMs, undefined, { signal });
            }
        }
    }

    /** @throws an error with the reason for which the command has failed, or LostPodError */
    async fails(): Promise<never> {
        const { signal, pollMs, maxWaitMs, maxStuckMs, settings } = this.#options;
        const { kind, limits, image = settings.image } = this.#options.work;
        const maxOnNodeMs = limits.timeoutSeconds * 1000 + maxStuckMs;
        let stuckSinceMs: number | undefined;
        let onNodeSinceMs: number | undefined;
        for (;;) {
            const status = await this.#read();
            const nowMs = performance.now();
            if (status?.kind === "lost") {
                throw new LostPodError(status.reason);
            } else if (status?.kind === "failed") {
                this.isEnded = true;
                throw await this.#failure(status.reason, status.hasLog);
            } else if (status?.kind === "working") {
                this.#follow();
                onNodeSinceMs ??= nowMs;
            } else if (status?.kind === "waiting") {
                stuckSinceMs = status.isStuck ? (stuckSinceMs ?? nowMs) : undefined;
                if (nowMs - (stuckSinceMs ?? nowMs) > maxStuckMs || /^InvalidImageName/.test(status.reason)) {
                    throw new Error(toOneLine(`The ${kind}'s pod cannot start with image ${image}: ${status.reason}`));
                }
                if (status.hasNode) {
                    onNodeSinceMs ??= nowMs;
                } else if (this.#waitedMs > maxWaitMs) {
                    throw this.#waitError(status.reason);
                }
            }
            const maxMs = maxWaitMs + maxOnNodeMs;
            if (status === undefined && this.#waitedMs > maxMs) {
                const reason = `and Kubernetes does not answer: ${this.#unread?.message}`;
                throw new Error(toOneLine(`The ${kind} ${sayReached("time", Math.round(maxMs / 1000))}, ${reason}`), {
                    cause: this.#unread,
                });
            }
            // The kubelet ends a pod that is too slow, also before it runs, unless its node is lost.
            if (nowMs - (onNodeSinceMs ?? nowMs) > maxOnNodeMs) {
                throw await this.#failure(sayReached("time", limits.timeoutSeconds), this.#logEnded !== undefined);
            }
            this.#reads += 1;
            await sleep(pollMs, undefined, { signal });
        }
    }

    /** Waits until {@link fails} has read the state of the pod this many times, and found no reason to end. */
    async afterReads(count: number): Promise<void> {
        for (const end = this.#reads + count; this.#reads < end;) {
            await sleep(this.#options.pollMs, undefined, { signal: this.#options.signal });
        }
    }

    /** Reads the log of a command that has ended to its end. */
    async readLog(): Promise<void> {
        if (this.#pod === undefined) {
            await this.#read();
        }
        await this.#endLog();
    }

    get #waitedMs(): number {
        return performance.now() - this.#startedMs;
    }

    #waitError(reason: string, cause?: unknown): Error {
        const { work, maxWaitMs } = this.#options;
        const text = `No pod was free for the ${work.kind} within ${Math.round(maxWaitMs / 1000)} s: ${reason}`;
        return new Error(toOneLine(text), { cause });
    }

    /** @returns undefined while the API cannot be reached @throws LostPodError if the Job or its pod is gone */
    async #read(): Promise<PodStatus | undefined> {
        const { api, signal, settings } = this.#options;
        const { kind, limits } = this.#options.work;
        const query = new URLSearchParams({
            labelSelector: `batch.kubernetes.io/job-name=${this.#options.name}`,
        }).toString();
        try {
            const { items } = await api.request("GET", "/api/v1", `/pods?${query}`, { signal });
            const [pod] = asList(items);
            if (pod !== undefined) {
                this.#pod = String(asFields(asFields(pod)["metadata"])["name"]);
                return readPodStatus(pod, kind, { ...limits, memory: memoryOf(limits, settings) });
            }
            if (this.#pod !== undefined) {
                throw new LostPodError(`The ${kind}'s pod was deleted`);
            }
            const { status } = await api.request("GET", "/apis/batch/v1", `/jobs/${this.#options.name}`, { signal });
            const failed = asList(asFields(status)["conditions"]).map(asFields).find(isFailed);
            if (failed !== undefined) {
                throw new LostPodError(`The ${kind}'s Job has failed (${String(failed["message"])})`);
            }
            const reason =
                `Kubernetes has not created a pod. The events of Job ${this.#options.name} give the reason, such as ` +
                "an exhausted quota.";
            return { kind: "waiting", reason, hasNode: false, isStuck: false };
        } catch (error) {
            signal.throwIfAborted();
            if (error instanceof KubernetesError && error.status === 404) {
                throw new LostPodError(`The ${kind}'s Job was deleted`, { cause: error });
            }
            if (error instanceof LostPodError || (error instanceof KubernetesError && error.status === 403)) {
                throw error;
            }
            this.#unread = error as Error;
            return undefined;
        }
    }

    async #failure(reason: string, hasLog: boolean): Promise<Error> {
        const end = hasLog ? await this.#endLog() : "";
        return this.#options.work.explain(toOneLine(reason).replace(/\.$/, ""), end);
    }

    /** Begins to read the log of the command. Without the log, the command goes on. */
    #follow(): void {
        if (this.#logEnded === undefined && this.#pod !== undefined) {
            this.#logEnded = this.#readWholeLog(this.#pod).catch(() => undefined);
        }
    }

    /** Kubernetes and its proxies end logs of commands that write nothing for some minutes, so they are read again. */
    async #readWholeLog(pod: string): Promise<void> {
        const { api, signal, pollMs, work } = this.#options;
        const lines = new TimedLog();
        for (let attempt = 1; attempt <= maxLogAttempts;) {
            const isLast = this.#isOver;
            try {
                const newPartOf = lines.begin();
                for await (const chunk of await api.followLog(pod, work.kind, signal)) {
                    const added = newPartOf(chunk);
                    if (added.length > 0) {
                        work.log.addOutput(added);
                    }
                }
                if (isLast) {
                    return;
                }
            } catch {
                signal.throwIfAborted();
                attempt += isLast ? 1 : 0;
            }
            const pause = sleep(pollMs, undefined, { signal, ref: false });
            await (isLast ? pause : Promise.race([pause, this.#over.promise]));
        }
    }

    /** @returns the last lines of the log */
    async #endLog(): Promise<string> {
        this.#follow();
        this.#isOver = true;
        this.#over.resolve();
        await Promise.race([this.#logEnded, sleep(this.#options.logMs, undefined, { ref: false })]);
        return this.#options.work.log.end();
    }
}

/** The limit of memory, for the reason of a failure. */
function memoryOf({ memoryMegabytes }: PodWork["limits"], { main }: PodSettings): string {
    const { memory = "its limit" } = asFields(asFields(main["resources"])["limits"]);
    return memoryMegabytes === undefined ? String(memory) : `${memoryMegabytes} MB`;
}

function isConflict(error: unknown): boolean {
    return error instanceof KubernetesError && error.status === 409 && error.message.includes("already exists");
}

function isFailed({ type, status }: Readonly<Record<string, unknown>>): boolean {
    return (type === "Failed" || type === "FailureTarget") && status === "True";
}
