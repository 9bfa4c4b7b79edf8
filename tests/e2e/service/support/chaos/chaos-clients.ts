import { createHash, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { pick, type Random } from "../../../../../dev/bench/random.js";
import { adminKey } from "../service-parts.js";
import { agentProjects, apis, type ChaosService } from "./chaos-service.js";
import { type ChaosSite } from "./chaos-sites.js";

const jobs = "/v1/static-export/jobs";
const answersWithinMs = 40_000;
const pollMs = 1500;

interface Answer {
    /** 0 without an answer. */
    status: number;
    url: string;
    body: Buffer;
    json: Record<string, unknown>;
}

/** An accepted export, and the answers that its client got. */
export interface ChaosJob {
    readonly jobId: string;
    readonly domain: string;
    readonly version: string;
    /** The number of the site's content at the start. */
    readonly number: number;
    isCancelled: boolean;
    final?: "completed" | "failed";
    error?: string;
    /** The digest of the downloaded bundle. */
    sha256?: string;
}

export interface ChaosAgentJob {
    readonly id: string;
    /** The text that the agent adds. */
    readonly token: string;
    isArchived: boolean;
    final?: string;
    prLink?: string;
}

/** Clients of the service, which check every answer. */
export class ChaosClients {
    readonly #service: ChaosService;
    readonly #random: Random;
    readonly #violate: (what: string) => void;
    readonly jobs = new Map<string, ChaosJob>();
    readonly agentJobs = new Map<string, ChaosAgentJob>();
    starts = 0;
    requests = 0;
    unanswered = 0;
    unavailable = 0;
    isOver = false;

    constructor(service: ChaosService, random: Random, violate: (what: string) => void) {
        [this.#service, this.#random, this.#violate] = [service, random, violate];
    }

    /** Starts exports, and follows each to its end, until `isOver`. */
    async startExports(client: number): Promise<void> {
        const random = this.#random;
        const domains = [...this.#service.sites.keys()] as [string, ...string[]];
        const following: Promise<void>[] = [];
        while (!this.isOver) {
            const domain = pick(random, domains);
            const site = this.#service.sites.get(domain)!;
            if (random() < 0.7) {
                await site.change();
            }
            const version = `v-${client}-${this.starts}`;
            const { number } = site;
            const key = { body: { domain, version }, key: randomUUID() };
            const repeats = Array.from({ length: random() < 0.3 ? 2 : 1 }, () => this.#insist("POST", jobs, key));
            const answers = await Promise.all(repeats);
            this.starts += 1;
            const ids = new Set(answers.map(({ json }) => String(json["jobId"])));
            const refused = answers.find(({ status }) => status !== 202);
            if (refused !== undefined || ids.size !== 1) {
                this.#violate(
                    `A start got ${refused?.status} ${refused?.body.toString()}, and jobs ${[...ids].join()}.`,
                );
                continue;
            }
            const [jobId = ""] = ids;
            if (this.jobs.has(jobId)) {
                this.#violate(`Two starts got job ${jobId}.`);
            }
            const job: ChaosJob = { jobId, domain, version, number, isCancelled: false };
            this.jobs.set(jobId, job);
            const cancelAt = random() < 0.15 ? performance.now() + random() * 25_000 : Infinity;
            const followed = this.#follow(job, site, cancelAt);
            following.push(followed);
            await (random() < 0.6 ? followed : delay(500 + random() * 3000));
        }
        await Promise.all(following);
    }

    async #follow(job: ChaosJob, site: ChaosSite, cancelAt: number): Promise<void> {
        const path = `${jobs}/${job.jobId}`;
        let isDecided = false;
        for (;;) {
            const { status, json } = await this.#ask("GET", path);
            if (status === 404) {
                this.#violate(`Job ${job.jobId} was accepted, and is gone.`);
                return;
            }
            if (status === 200 && (json["status"] === "completed" || json["status"] === "failed")) {
                job.final = json["status"];
                job.error = String(json["error"]);
                break;
            }
            if (!isDecided && performance.now() >= cancelAt) {
                const cancelled = await this.#ask("DELETE", `${path}?reason=chaos`);
                isDecided = cancelled.status === 200 || cancelled.status === 409;
                job.isCancelled = cancelled.status === 200;
            }
            await delay(pollMs);
        }
        if (job.isCancelled && job.final === "completed") {
            this.#violate(`Job ${job.jobId} was cancelled, and completed.`);
        }
        if (job.final === "completed") {
            await this.#download(job, site);
        }
    }

    async #download(job: ChaosJob, site: ChaosSite): Promise<void> {
        const path = `${jobs}/${job.jobId}`;
        for (;;) {
            const link = await this.#insist("POST", `${path}/bundle`);
            if (link.status !== 200) {
                this.#violate(`The link of job ${job.jobId} got ${link.status} ${link.body.toString()}`);
                return;
            }
            const { bundleUrl, sizeBytes } = link.json;
            const { status, body, url } = await this.#ask("GET", String(bundleUrl), { isLink: true });
            if (status === 0 || status === 503) {
                await delay(1000);
                continue;
            }
            if (status !== 200) {
                this.#violate(`The bundle of job ${job.jobId} got ${status} ${body.toString().slice(0, 300)}`);
                return;
            }
            const sha256 = createHash("sha256").update(body).digest("hex");
            if (!url.includes(sha256) || body.length !== sizeBytes) {
                this.#violate(`The bundle of job ${job.jobId} has ${body.length} bytes, digest ${sha256}.`);
                return;
            }
            job.sha256 = sha256;
            const { json } = await this.#insist("GET", path);
            this.#checkContent(job, gunzipSync(body).toString("latin1"), site.commits.get(String(json["sourceRef"])));
            return;
        }
    }

    /** @param committed - the number of the job's commit */
    #checkContent(job: ChaosJob, text: string, committed: number | undefined): void {
        const numbers = [...new Set([...text.matchAll(/content-(\d+)-of-site/g)].map(([, number]) => Number(number)))];
        const [number = 0] = numbers;
        const isRight = numbers.length === 1 && number >= job.number && (committed ?? number) === number;
        if (!isRight || !text.includes(JSON.stringify(job.version))) {
            const wanted = `${job.version} of content ${committed ?? `${job.number} or newer`}`;
            this.#violate(`The bundle of job ${job.jobId} has content ${numbers.join()} instead of ${wanted}.`);
        }
    }

    /** Starts agent jobs one after another, and archives some, until `isOver`. */
    async startAgents(client: number): Promise<void> {
        const random = this.#random;
        for (let count = 1; !this.isOver; count += 1) {
            const token = `token-${client}-${count}.`;
            const prompt = `append to index.md: ${token}`;
            const agentJobs = `/v2/agent/${pick(random, agentProjects)}/job`;
            const started = await this.#insist("POST", agentJobs, { body: { prompt }, key: randomUUID() });
            if (started.status !== 201) {
                this.#violate(`An agent's start got ${started.status} ${started.body.toString()}`);
                continue;
            }
            const job: ChaosAgentJob = { id: String(started.json["id"]), token, isArchived: false };
            this.agentJobs.set(job.id, job);
            const archiveAt = random() < 0.15 ? performance.now() + random() * 12_000 : Infinity;
            while (job.final === undefined) {
                const { status, json } = await this.#ask("GET", `${agentJobs}/${job.id}`);
                if (status === 200 && json["status"] !== "active") {
                    job.final = String(json["status"]);
                    job.prLink = json["prLink"] as string;
                } else if (!job.isArchived && performance.now() >= archiveAt) {
                    job.isArchived = (await this.#ask("POST", `${agentJobs}/${job.id}/archive`)).status === 200;
                } else if (status === 404) {
                    this.#violate(`Agent job ${job.id} was accepted, and is gone.`);
                    return;
                }
                await delay(pollMs);
            }
            await delay(2000 + random() * 8000);
        }
    }

    /** Repeats a request until it gets an answer, as clients do. */
    async #insist(method: string, path: string, call: { body?: object; key?: string } = {}): Promise<Answer> {
        for (;;) {
            const answer = await this.#ask(method, path, call);
            if (![0, 429, 503].includes(answer.status)) {
                return answer;
            }
            await delay(500 + this.#random() * 1500);
        }
    }

    async #ask(
        method: string,
        path: string,
        { body, key, isLink = false }: { body?: object; key?: string; isLink?: boolean } = {},
    ): Promise<Answer> {
        this.requests += 1;
        try {
            const response = await fetch(isLink ? path : this.#service.urlOf(pick(this.#random, apis)) + path, {
                method,
                signal: AbortSignal.timeout(answersWithinMs),
                headers: {
                    ...(isLink ? {} : { authorization: `Bearer ${adminKey}` }),
                    ...(body === undefined ? {} : { "content-type": "application/json" }),
                    ...(key === undefined ? {} : { "idempotency-key": key }),
                },
                ...(body === undefined ? {} : { body: JSON.stringify(body) }),
            });
            const content = Buffer.from(await response.arrayBuffer());
            const { status, url, headers } = response;
            if (status >= 500 && (status !== 503 || (!isLink && !headers.has("retry-after")))) {
                this.#violate(`${method} ${path} got ${status} ${content.toString().slice(0, 300)}`);
            }
            this.unavailable += status === 503 ? 1 : 0;
            const isJson = headers.get("content-type")?.includes("json") === true;
            const json = isJson ? (JSON.parse(content.toString()) as Record<string, unknown>) : {};
            return { status, url, body: content, json };
        } catch {
            this.unanswered += 1;
            return { status: 0, url: "", body: Buffer.alloc(0), json: {} };
        }
    }
}
