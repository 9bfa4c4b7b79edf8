import assert from "node:assert/strict";
import { type NumberedJob } from "../../../service/src/history/job-history.js";
import { NewestJobs } from "../../../service/src/history/newest-jobs.js";

/** A list of jobs instead of a database. */
class ListedJobs {
    readonly jobs: NumberedJob[] = [];
    rowsRead = 0;
    /** Called before each reading of a few domains. */
    beforeDomains: () => void = () => undefined;

    add(domain: string, rest: Partial<NumberedJob> = {}): NumberedJob {
        const sequence = this.jobs.length + 1;
        const job = { sequence, domain, kind: "export", previewOf: null, status: "completed", ...rest } as NumberedJob;
        this.jobs.push(job);
        return job;
    }

    set(sequence: number, changes: Partial<NumberedJob>): void {
        this.jobs[sequence - 1] = { ...(this.jobs[sequence - 1] as NumberedJob), ...changes };
    }

    unfinished(): Promise<NumberedJob[]> {
        return this.#read(({ status }) => status === "queued" || status === "running");
    }

    withSequences(sequences: readonly number[]): Promise<NumberedJob[]> {
        return this.#read(({ sequence }) => sequences.includes(sequence));
    }

    async startedAfter(after: number, limit: number): Promise<NumberedJob[]> {
        return (await this.#read(({ sequence }) => sequence > after)).slice(0, limit);
    }

    async newestAfter(after: string, count: number): Promise<{ jobs: NumberedJob[]; last: string | undefined }> {
        this.beforeDomains();
        const all = [...new Set(this.jobs.map(({ domain }) => domain))].sort();
        const domains = all.filter((domain) => domain > after).slice(0, count);
        const newest = domains.flatMap((domain) =>
            ["export", "update"].map((kind) => this.jobs.findLast((job) => job.domain === domain && job.kind === kind)),
        );
        return { jobs: await this.#read((job) => newest.includes(job)), last: domains.at(-1) };
    }

    #read(isWanted: (job: NumberedJob) => boolean): Promise<NumberedJob[]> {
        const found = this.jobs.filter(isWanted);
        this.rowsRead += found.length;
        return Promise.resolve(found);
    }
}

describe("The newest jobs of all domains", () => {
    let listed: ListedJobs;
    let now: number;
    let newest: NewestJobs;
    beforeEach(() => {
        listed = new ListedJobs();
        now = 0;
        newest = new NewestJobs(listed, () => now);
    });

    /** "domain kind sequence status" of each newest job. */
    async function read(): Promise<string[]> {
        const domains = await newest.read(await listed.unfinished());
        return [...domains.values()]
            .flatMap((jobs) => Object.values(jobs))
            .map(({ domain, kind, sequence, status }) => `${domain} ${kind} ${sequence} ${status}`)
            .sort();
    }

    it("are the last export and the last update of each", async () => {
        listed.add("a");
        listed.add("a", { kind: "update" });
        listed.add("b");
        listed.add("a", { status: "failed" });
        assert.deepEqual(await read(), ["a export 4 failed", "a update 2 completed", "b export 3 completed"]);
    });

    it("are read again only if they have changed", async () => {
        for (let place = 0; place < 300; place++) {
            listed.add(`d${place}`);
        }
        listed.add("d7", { status: "running" });
        assert.equal((await read()).length, 300);
        listed.rowsRead = 0;
        listed.set(301, { status: "completed" });
        listed.add("d8", { status: "queued" });
        const jobs = await read();
        assert.ok(jobs.includes("d7 export 301 completed") && jobs.includes("d8 export 302 queued"), jobs.join("\n"));
        assert.ok(listed.rowsRead < 5, `${listed.rowsRead} rows`);
    });

    it("include an older job that waits again", async () => {
        listed.add("a");
        await read();
        listed.set(1, { status: "queued" });
        assert.deepEqual(await read(), ["a export 1 queued"]);
    });

    it("are read completely if very many were started", async () => {
        listed.add("a");
        await read();
        for (let place = 0; place < 1500; place++) {
            listed.add(`d${place % 3}`);
        }
        assert.deepEqual(await read(), [
            "a export 1 completed",
            "d0 export 1499 completed",
            "d1 export 1500 completed",
            "d2 export 1501 completed",
        ]);
    });

    it("no longer contain removed jobs after a minute, and are shown while they are read", async () => {
        listed.add("a");
        const removed = listed.add("b");
        await read();
        listed.jobs.splice(listed.jobs.indexOf(removed), 1);
        now += 60_000;
        assert.equal((await read()).length, 2);
        await new Promise(setImmediate);
        await new Promise(setImmediate);
        assert.deepEqual(await read(), ["a export 1 completed"]);
    });

    it("contain what ended while they were read", async () => {
        listed.add("a", { status: "running" });
        await read();
        now += 60_000;
        let isFirst = true;
        listed.beforeDomains = () => {
            if (isFirst) {
                isFirst = false;
                return;
            }
            listed.set(1, { status: "completed" });
        };
        await read();
        await new Promise(setImmediate);
        await new Promise(setImmediate);
        assert.deepEqual(await read(), ["a export 1 completed"]);
    });

    it("do not contain a purged site or its previews", async () => {
        listed.add("a");
        listed.add("preview.a", { previewOf: "a" });
        listed.add("b");
        await read();
        newest.forget("a");
        assert.deepEqual(await read(), ["b export 3 completed"]);
    });
});
