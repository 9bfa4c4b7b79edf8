import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo } from "node:net";
import { join } from "node:path";
import { podStepVariable, runPodStep } from "../../../../service/src/pods/pod-step.js";

interface Container {
    name: string;
    image: string;
    command?: [string, ...string[]];
    args?: string[];
    env: { name: string; value?: string; valueFrom?: object }[];
    resources: { limits: Record<string, string>; requests?: Record<string, string> };
}

export interface Job {
    metadata: { name: string; labels: Record<string, string>; ownerReferences: { name: string; uid: string }[] };
    spec: {
        backoffLimit: number;
        activeDeadlineSeconds: number;
        ttlSecondsAfterFinished: number;
        template: {
            metadata: { labels: Record<string, string> };
            spec: {
                initContainers: [Container, Container];
                containers: [Container];
                volumes: { name: string; emptyDir: { sizeLimit: string } }[];
            } & Record<string, unknown>;
        };
    };
}

interface Pod {
    metadata: { name: string; deletionTimestamp?: string };
    status: Record<string, unknown>;
}

interface Log {
    text: string;
    lines: number;
    isEnded: boolean;
    readonly readers: Set<ServerResponse>;
}

/** Decides what becomes of a Job. @default its pod runs to its end */
export type Fate = (job: Job, cluster: FakeKubernetes) => void | Promise<void>;

/** The parts of a cluster's API that Jobs need. The containers of Jobs are processes of this machine. */
export class FakeKubernetes {
    readonly jobs = new Map<string, Job>();
    readonly pods = new Map<string, Pod>();
    /** All Jobs that were ever created. */
    readonly created: Job[] = [];
    readonly deleted: string[] = [];
    /** Answers the next requests for a new Job. */
    readonly refusals: { status: number; message: string }[] = [];
    /** How often the worker's pod is still without an address, as shortly after its start. */
    readsWithoutAddress = 0;
    /** How many of the next requests for a log fail. */
    failedLogs = 0;
    /** How many of the next requests for a log end before the log. */
    cutLogs = 0;
    /** Whether the API answers each request with an error. */
    isDown = false;
    readonly #reads = new Map<string, number>();
    readonly #logs = new Map<string, Log>();
    readonly #server: Server;
    readonly #ends: AbortController[] = [];
    readonly #running: Promise<void>[] = [];

    private constructor(
        private readonly folder: string,
        private readonly fate: Fate,
    ) {
        this.#server = createServer((request, response) => void this.#answer(request, response));
    }

    static async start(folder: string, fate: Fate = (job, cluster) => cluster.runPod(job)): Promise<FakeKubernetes> {
        const cluster = new FakeKubernetes(folder, fate);
        await once(cluster.#server.listen(0, "127.0.0.1"), "listening");
        return cluster;
    }

    get url(): string {
        return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    }

    async stop(): Promise<void> {
        this.#ends.forEach((end) => end.abort());
        await Promise.allSettled(this.#running);
        this.#server.closeAllConnections();
        this.#server.close();
    }

    /** How often the worker has asked for the Job's pod. */
    reads(job: Job): number {
        return this.#reads.get(job.metadata.name) ?? 0;
    }

    /** Removes what the logs contain, as the kubelet does above 10 MB, and ends the requests for them. */
    rotateLogs(): void {
        for (const log of this.#logs.values()) {
            log.text = "";
            log.readers.forEach((reader) => reader.end());
            log.readers.clear();
        }
    }

    setStatus(job: Job, status: Record<string, unknown>, metadata: object = {}): void {
        this.pods.set(job.metadata.name, { metadata: { name: `${job.metadata.name}-pod`, ...metadata }, status });
    }

    /** Runs the containers of a Job's pod one after the other. */
    async runPod(job: Job): Promise<void> {
        const { name } = job.metadata;
        const [receive, main] = job.spec.template.spec.initContainers;
        const [send] = job.spec.template.spec.containers;
        const ended = new AbortController();
        this.#ends.push(ended);
        const place = await mkdtemp(join(this.folder, "pod-"));
        await mkdir(join(place, "tmp"));
        const log: Log = { text: "", lines: 0, isEnded: false, readers: new Set() };
        this.#logs.set(`${name}-pod`, log);
        const terminated = (exitCode: number, message = "") => ({ terminated: { exitCode, message } });
        const step = async (container: Container, kind: "receive" | "send") => {
            const { [podStepVariable]: settings } = variablesOf(container);
            await runPodStep(kind, { [podStepVariable]: settings }, place);
        };
        const states: Record<string, object>[] = [];
        const show = (phase: string, ...added: Record<string, object>[]) => {
            const shown = [...states, ...added].map((each) => ({
                name: Object.keys(each)[0],
                state: Object.values(each)[0],
            }));
            if (this.jobs.has(name)) {
                this.setStatus(job, { phase, initContainerStatuses: shown });
            }
        };
        try {
            await step(receive, "receive");
        } catch (error) {
            show("Failed", { receive: terminated(1, (error as Error).message) });
            return;
        }
        states.push({ receive: terminated(0) });
        show("Pending", { [main.name]: { running: {} } });
        const variables = variablesOf(main);
        const inPlace = (text: string) => text.replaceAll("/work", place);
        const [program, ...args] = (main.command ?? ["/bin/false"]).map((each) => inPlace(expand(each, variables)));
        const values = Object.entries(variables).map(([each, value]) => [each, inPlace(value)]);
        const env: NodeJS.ProcessEnv = {
            PATH: process.env["PATH"],
            ...(Object.fromEntries(values) as Record<string, string>),
            TMPDIR: join(place, "tmp"),
        };
        const child = spawn(String(program), args, {
            ...{ cwd: place, env, detached: true },
            stdio: ["ignore", "pipe", "pipe"],
        });
        ended.signal.addEventListener("abort", () => killGroup(Number(child.pid)));
        for (const stream of [child.stdout, child.stderr]) {
            stream.on("data", (chunk: Buffer) => {
                const added = withTimes(chunk.toString(), log);
                log.text += added;
                log.readers.forEach((reader) => reader.write(added));
            });
        }
        // The kernel ends all processes of a container with its first one.
        child.once("exit", () => killGroup(Number(child.pid)));
        const [code] = (await once(child, "close")) as [number | null];
        log.isEnded = true;
        log.readers.forEach((reader) => reader.end());
        states.push({ [main.name]: terminated(code ?? 137) });
        if (code !== 0) {
            show("Failed");
            return;
        }
        show("Running");
        await step(send, "send").catch(() => undefined);
        show("Succeeded");
    }

    async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
        let text = "";
        for await (const chunk of request) {
            text += String(chunk);
        }
        if (this.isDown) {
            response.writeHead(502).end("<html>Bad Gateway</html>");
            return;
        }
        const url = new URL(String(request.url), this.url);
        const answer = (value: object, status = 200) => response.writeHead(status).end(JSON.stringify(value));
        const fail = (code: number, message: string) => answer({ kind: "Status", code, message }, code);
        const [, rest = ""] = /^\/apis?\/(?:batch\/)?v1\/namespaces\/docs\/(.*)$/.exec(url.pathname) ?? [];
        const [kind, name = "", part] = rest.split("/");
        if (request.headers.authorization !== "Bearer account") {
            fail(401, "Unauthorized");
        } else if (request.method === "POST" && kind === "jobs") {
            const refusal = this.refusals.shift();
            if (refusal !== undefined) {
                fail(refusal.status, refusal.message);
                return;
            }
            const job = JSON.parse(text) as Job;
            this.jobs.set(job.metadata.name, job);
            this.created.push(job);
            answer(job, 201);
            this.#running.push(Promise.resolve(this.fate(job, this)));
        } else if (request.method === "DELETE" && kind === "jobs") {
            this.deleted.push(name);
            this.jobs.delete(name);
            // As in Kubernetes, the pods of a Job stay unless the request asks for their deletion.
            const { propagationPolicy = "Orphan" } = JSON.parse(text || "{}") as { propagationPolicy?: string };
            if (propagationPolicy === "Background") {
                this.pods.delete(name);
            }
            answer({});
        } else if (kind === "jobs" && name === "") {
            const [, owner] = String(url.searchParams.get("labelSelector")).split("=");
            const items = [...this.jobs.values()].filter(
                (job) => job.metadata.labels["static-export/worker"] === owner,
            );
            answer({ items });
        } else if (kind === "jobs") {
            const job = this.jobs.get(name);
            void (job === undefined ? fail(404, `jobs "${name}" not found`) : answer({ ...job, status: {} }));
        } else if (part === "log" && this.failedLogs > 0) {
            this.failedLogs -= 1;
            fail(500, "the kubelet does not answer");
        } else if (part === "log") {
            const log = this.#logs.get(name);
            response.writeHead(200).write(log?.text ?? "");
            const isCut = this.cutLogs > 0;
            this.cutLogs -= isCut ? 1 : 0;
            void (log?.isEnded === false && !isCut ? log.readers.add(response) : response.end());
        } else if (kind === "pods" && name === "") {
            const [, job = ""] = String(url.searchParams.get("labelSelector")).split("=");
            this.#reads.set(job, (this.#reads.get(job) ?? 0) + 1);
            answer({ items: this.pods.has(job) ? [this.pods.get(job)] : [] });
        } else {
            const hasAddress = this.readsWithoutAddress === 0;
            this.readsWithoutAddress -= hasAddress ? 0 : 1;
            answer({ metadata: { name, uid: "uid-of-worker" }, status: hasAddress ? { podIP: "127.0.0.1" } : {} });
        }
    }
}

function killGroup(id: number): void {
    try {
        process.kill(-id, "SIGKILL");
    } catch {
        // All of its processes have ended.
    }
}

/** Puts a time before each line that begins in a part of a log. */
function withTimes(part: string, log: Log): string {
    const isNewLine = log.text === "" || log.text.endsWith("\n");
    return part.replaceAll(isNewLine ? /^(?=[^])/gm : /(?<=\n)(?=[^])/g, () => {
        log.lines += 1;
        return `2026-11-27T00:00:00.${String(log.lines).padStart(9, "0")}Z `;
    });
}

function variablesOf({ env }: Container): Record<string, string> {
    const variables: Record<string, string> = {};
    for (const { name, value } of env) {
        variables[name] = value === undefined ? "5ecret-value" : expand(value, variables);
    }
    return variables;
}

/** Replaces `$(NAME)` by a variable, and `$$` by `$`, as Kubernetes does. */
function expand(text: string, variables: Readonly<Record<string, string>>): string {
    return text.replaceAll(/\$(?:\$|\(([^)]*)\))/g, (found: string, name?: string) =>
        name === undefined ? "$" : (variables[name] ?? found),
    );
}
