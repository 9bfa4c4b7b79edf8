import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type AgentLog, type AgentLogRecords } from "./agent-log-records.js";
import { type Bucket } from "./s3-bucket.js";

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
    async keep(log: AgentLog, path: string): Promise<void> {
        const content = await readFile(path);
        const sha256 = createHash("sha256").update(content).digest("hex");
        await this.#records.record(log);
        const ended = AbortSignal.timeout(maxUploadMs);
        const sent = { sha256, sizeBytes: content.length, contentType: "text/plain; charset=utf-8" };
        await this.#bucket.put(nameOf(log), path, sent, ended);
    }

    /** Where it is, for operators. */
    addressOf(log: AgentLog): string {
        return this.#bucket.addressOf(nameOf(log));
    }

    async removeKeptBefore(before: number): Promise<void> {
        await this.#records.removeRecordedBefore(before, (log) => this.#bucket.remove(nameOf(log)));
    }
}

function nameOf({ jobId, attempt }: AgentLog): string {
    return `agent-logs/${jobId}/${attempt}.log`;
}
