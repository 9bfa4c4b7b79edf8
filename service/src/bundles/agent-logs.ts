import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type AgentAttempt } from "../store/agent-run-store.js";
import { type AgentLogRecords } from "../store/bucket/agent-log-records.js";
import { type Bucket } from "./bucket.js";

/** Shorter than the time in which a worker that is stopped must end. */
const maxUploadMs = 30_000;

/** Logs of agents' runs in the bucket. Agents' workers store them, and those of exports remove old ones. */
export class AgentLogs {
    readonly #bucket: Pick<Bucket, "put" | "remove" | "addressOf">;
    readonly #records: AgentLogRecords;

    constructor(bucket: Pick<Bucket, "put" | "remove" | "addressOf">, records: AgentLogRecords) {
        this.#bucket = bucket;
        this.#records = records;
    }

    /** Stores the log of a run that has ended. @throws StorageUnavailableError, or the database's error */
    async keep(run: AgentAttempt, path: string): Promise<void> {
        const content = await readFile(path);
        const log = { sha256: createHash("sha256").update(content).digest("hex"), sizeBytes: content.length };
        await this.#records.record(run);
        const ended = AbortSignal.timeout(maxUploadMs);
        await this.#bucket.put(nameOf(run), path, { ...log, contentType: "text/plain; charset=utf-8" }, ended);
    }

    /** Where the log of a run is, for operators. */
    addressOf(run: AgentAttempt): string {
        return this.#bucket.addressOf(nameOf(run));
    }

    async removeKeptBefore(before: number): Promise<void> {
        await this.#records.removeRecordedBefore(before, (run) => this.#bucket.remove(nameOf(run)));
    }
}

function nameOf({ jobId, attempt }: AgentAttempt): string {
    return `agent-logs/${jobId}/${attempt}.log`;
}
