import { setTimeout as sleep } from "node:timers/promises";
import { toOneLine } from "@pulumi-static-export/exporter";
import { LostBuildError } from "./build-frames.js";
import { buildContainer } from "./build-job.js";
import { passwordOf } from "../builds/build-environment.js";
import { explainFailure } from "../builds/build-failure.js";
import { BuildLog } from "../builds/build-log.js";
import { asFields, asList, type BuildPods } from "./build-pods.js";
import { type BuildRequest } from "../builds/builder.js";
import { type KubernetesApi, KubernetesError } from "./kubernetes-api.js";
import { type PodStatus, readPodStatus } from "./pod-status.js";

export const defaultTimes = {
    pollMs: 2000,
    /** How long a pod may wait for quota and for a node; its image is pulled within the time of the build. */
    maxWaitMs: 600_000,
    /** How long a pod may wait for an image that cannot be pulled. */
    maxStuckMs: 120_000,
    /** How long the end of a log may take. */
    logMs: 10_000,
};

const maxLogAttempts = 3;

export type JobTimes = Readonly<typeof defaultTimes>;

/** A log that is being read. */
interface FollowedLog {
    readonly lines: BuildLog;
    readonly ended: Promise<void>;
}

interface JobWatchOptions extends JobTimes {
    readonly name: string;
    readonly request: BuildRequest;
    readonly pods: BuildPods;
    readonly api: KubernetesApi;
    /** The values of named variables, which no log may contain. */
    readonly env: NodeJS.ProcessEnv;
    readonly signal: AbortSignal;
}

/** Watches the Job of one build. */
export class JobWatch {
    readonly #options: JobWatchOptions;
    readonly #startedMs = performance.now();
    #pod: string | undefined;
    /** How often the pod was read without a reason to end. */
    #reads = 0;
    #log: FollowedLog | undefined;
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
                if (!isFull && error instanceof KubernetesError && status !== 429 && status < 500) {
                    throw new Error(`Kubernetes refuses the Job of the build: ${message}`, { cause: error });
                }
                if (this.#waitedMs > maxWaitMs) {
                    throw this.#waitError(message, error);
                }
                if (!isNoted) {
                    isNoted = true;
                    this.#options.request.onLine(`The build waits for Kubernetes: ${message}`);
                }
                await sleep(pollMs, undefined, { signal });
            }
        }
    }

    /** @throws an error with the reason for which the build has failed, or LostBuildError */
    async fails(): Promise<never> {
        const { signal, pollMs, maxWaitMs, maxStuckMs } = this.#options;
        const { limits, image = this.#options.pods.image } = this.#options.request.build;
        let stuckSinceMs: number | undefined;
        let onNodeSinceMs: number | undefined;
        for (;;) {
            const status = await this.#read();
            const nowMs = performance.now();
            if (status?.kind === "lost") {
                throw new LostBuildError(status.reason);
            } else if (status?.kind === "failed") {
                this.isEnded = true;
                throw await this.#failure(status.reason, status.hasLog);
            } else if (status?.kind === "building") {
                this.#follow();
                onNodeSinceMs ??= nowMs;
            } else if (status?.kind === "waiting") {
                stuckSinceMs = status.isStuck ? (stuckSinceMs ?? nowMs) : undefined;
                if (nowMs - (stuckSinceMs ?? nowMs) > maxStuckMs || /^InvalidImageName/.test(status.reason)) {
                    throw new Error(toOneLine(`The build's pod cannot start with image ${image}: ${status.reason}`));
                }
                if (status.hasNode) {
                    onNodeSinceMs ??= nowMs;
                } else if (this.#waitedMs > maxWaitMs) {
                    throw this.#waitError(status.reason);
                }
            }
            // The kubelet ends a pod that is too slow, also before it runs, unless its node is lost.
            if (nowMs - (onNodeSinceMs ?? nowMs) > limits.timeoutSeconds * 1000 + maxStuckMs) {
                throw await this.#failure(`did not end within ${limits.timeoutSeconds} s`, this.#log !== undefined);
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

    /** Reads the log of a finished build to its end. */
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
        const text = `No pod was free for the build within ${Math.round(this.#options.maxWaitMs / 1000)} s: ${reason}`;
        return new Error(toOneLine(text), { cause });
    }

    /** @returns undefined while the API cannot be reached @throws LostBuildError if the Job or its pod is gone */
    async #read(): Promise<PodStatus | undefined> {
        const { api, signal } = this.#options;
        const query = new URLSearchParams({
            labelSelector: `batch.kubernetes.io/job-name=${this.#options.name}`,
        }).toString();
        try {
            const { items } = await api.request("GET", "/api/v1", `/pods?${query}`, { signal });
            const [pod] = asList(items);
            if (pod !== undefined) {
                this.#pod = String(asFields(asFields(pod)["metadata"])["name"]);
                return readPodStatus(pod, this.#options.request.build.limits);
            }
            if (this.#pod !== undefined) {
                throw new LostBuildError("The build's pod was deleted");
            }
            const { status } = await api.request("GET", "/apis/batch/v1", `/jobs/${this.#options.name}`, { signal });
            const failed = asList(asFields(status)["conditions"]).map(asFields).find(isFailed);
            if (failed !== undefined) {
                throw new LostBuildError(`The build's Job has failed (${String(failed["message"])})`);
            }
            const reason =
                `Kubernetes has created no pod. The events of Job ${this.#options.name} say why, such as a full ` +
                "quota.";
            return { kind: "waiting", reason, hasNode: false, isStuck: false };
        } catch (error) {
            signal.throwIfAborted();
            if (error instanceof KubernetesError && error.status === 404) {
                throw new LostBuildError("The build's Job was deleted", { cause: error });
            }
            if (error instanceof LostBuildError || (error instanceof KubernetesError && error.status === 403)) {
                throw error;
            }
            return undefined;
        }
    }

    async #failure(reason: string, hasLog: boolean): Promise<Error> {
        const end = hasLog ? await this.#endLog() : "";
        const { memoryMegabytes, timeoutSeconds } = this.#options.request.build.limits;
        const limits = { memoryMegabytes, timeoutSeconds };
        return new Error(toOneLine(explainFailure(reason.replace(/\.$/, ""), end, limits)));
    }

    /** Begins to read the log of the build. */
    #follow(): FollowedLog | undefined {
        if (this.#log === undefined && this.#pod !== undefined) {
            const { api, env, signal, pollMs, pods } = this.#options;
            const secrets = [
                ...this.#options.request.build.environment.flatMap((name) => env[name] ?? []),
                ...asList(pods.builder["env"]).flatMap((each) => {
                    const { value } = asFields(each);
                    return typeof value === "string" ? passwordOf(value) : [];
                }),
            ];
            const lines = new BuildLog(secrets, this.#options.request.onLine);
            const pod = this.#pod;
            const read = async () => {
                for (let attempt = 1; ; attempt += 1) {
                    let isBegun = false;
                    try {
                        for await (const chunk of await api.followLog(pod, buildContainer, signal)) {
                            isBegun = true;
                            lines.addOutput(chunk);
                        }
                        return;
                    } catch (error) {
                        if (isBegun || attempt === maxLogAttempts) {
                            throw error;
                        }
                        await sleep(pollMs, undefined, { signal });
                    }
                }
            };
            // Without the log, the build goes on.
            this.#log = { lines, ended: read().catch(() => undefined) };
        }
        return this.#log;
    }

    /** @returns the last lines of the log */
    async #endLog(): Promise<string> {
        const log = this.#follow();
        await Promise.race([log?.ended, sleep(this.#options.logMs, undefined, { ref: false })]);
        return log?.lines.end() ?? "";
    }
}

function isConflict(error: unknown): boolean {
    return error instanceof KubernetesError && error.status === 409 && error.message.includes("already exists");
}

function isFailed({ type, status }: Readonly<Record<string, unknown>>): boolean {
    return (type === "Failed" || type === "FailureTarget") && status === "True";
}
