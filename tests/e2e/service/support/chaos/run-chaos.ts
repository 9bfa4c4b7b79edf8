import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom } from "../../../../../dev/bench/random.js";
import { endsWithin } from "../../../../../service/src/shared/ends-within.js";
import { noteEnds } from "../kill-parts.js";
import { ChaosClients } from "./chaos-clients.js";
import { ChaosFaults } from "./chaos-faults.js";
import { ChaosService } from "./chaos-service.js";

const exportClients = 8;
const agentClients = 2;
/** The guide's promise for each process. */
const maxConnections = 6;
/** A job whose worker was lost three times runs for the fourth time, after the last fault. */
const endWithinMs = 10 * 60_000;

/** What happened, as numbers, and what must not have happened. */
interface ChaosSummary {
    seed: number;
    minutes: number;
    starts: number;
    jobs: number;
    completed: number;
    bundlesWithRightDigest: number;
    cancelled: number;
    failed: number;
    agentJobs: number;
    agentsWithOneChange: number;
    agentsArchived: number;
    faults: number;
    faultsByKind: Readonly<Record<string, number>>;
    slowestEndMs: number;
    mostConnections: number;
    processStarts: number;
    requests: number;
    unanswered: number;
    unavailable: number;
    violations: readonly string[];
    /** The file with all faults and logs; only if something is wrong. */
    logFile?: string;
}

/** Uses a service while faults happen, waits for the end of everything that it accepted, and checks all of it. */
export async function runChaos(folder: string, seed: number, minutes: number): Promise<ChaosSummary> {
    const violations: string[] = [];
    const violate = (what: string): void => void violations.push(what);
    const service = await ChaosService.start(folder);
    try {
        await service.sql(noteEnds);
        const clients = new ChaosClients(service, createRandom(seed), violate);
        const faults = new ChaosFaults(service, createRandom(seed + 1), violate);
        let mostConnections = 0;
        const sampling = setInterval(() => {
            const counts = service.processes.map(({ databases }) => databases.reduce((sum, { size }) => sum + size, 0));
            mostConnections = Math.max(mostConnections, ...counts);
        }, 500);
        const working = Promise.all([
            ...Array.from({ length: exportClients }, (_, index) => clients.startExports(index + 1)),
            ...Array.from({ length: agentClients }, (_, index) => clients.startAgents(index + 1)),
        ]);
        working.catch(() => undefined);
        await faults.beginFor(minutes * 60_000, minutes < 10 ? 1 : 2);
        clients.isOver = true;
        await faults.end();
        if (!(await endsWithin(working, endWithinMs))) {
            violate(`Ten minutes after the last fault, clients still wait:\n${describeUnfinished(clients)}`);
        }
        clearInterval(sampling);
        if (mostConnections > maxConnections) {
            violate(`A process had ${mostConnections} connections to the database.`);
        }
        await service.becomesReady().catch((error: unknown) => violate(String(error)));
        service.processes.forEach(({ surprise }) => surprise !== undefined && violate(surprise));
        await checkDatabase(service, clients, violate);
        const agentsWithOneChange = await checkBranches(service, clients, violate);
        const all = [...clients.jobs.values()];
        return {
            ...{ seed, minutes, starts: clients.starts, jobs: all.length },
            completed: all.filter(({ final }) => final === "completed").length,
            bundlesWithRightDigest: all.filter(({ sha256 }) => sha256 !== undefined).length,
            cancelled: all.filter(({ isCancelled }) => isCancelled).length,
            failed: all.filter(({ final, isCancelled }) => final === "failed" && !isCancelled).length,
            agentJobs: clients.agentJobs.size,
            agentsWithOneChange,
            agentsArchived: [...clients.agentJobs.values()].filter(({ isArchived }) => isArchived).length,
            faults: Object.values(faults.counts).reduce((sum, count) => sum + count, 0),
            faultsByKind: faults.counts,
            slowestEndMs: faults.slowestEndMs,
            mostConnections,
            processStarts: service.processes.reduce((sum, { starts }) => sum + starts, 0),
            ...{ requests: clients.requests, unanswered: clients.unanswered, unavailable: clients.unavailable },
            violations,
            ...(violations.length === 0 ? {} : { logFile: await writeLog(seed, faults, service) }),
        };
    } catch (error) {
        throw new Error(`${(error as Error).stack}\n${violations.join("\n")}\n${service.log}`, { cause: error });
    } finally {
        await service.stop();
    }
}

async function writeLog(seed: number, { events }: ChaosFaults, { log }: ChaosService): Promise<string> {
    const file = join(tmpdir(), `chaos-${seed}.log`);
    await writeFile(file, `${events.join("\n")}\n${log}`);
    return file;
}

function describeUnfinished({ jobs, agentJobs }: ChaosClients): string {
    return [...jobs.values(), ...agentJobs.values()]
        .filter(({ final }) => final === undefined)
        .map((job) => JSON.stringify(job))
        .join("\n");
}

/** Each accepted start has one job, which ended once with the status that its client got, and whose bundle is in the bucket. */
async function checkDatabase(
    service: ChaosService,
    { jobs }: ChaosClients,
    violate: (what: string) => void,
): Promise<void> {
    type Row = { job_id: string; status: string; sha256: string | null };
    const rows = await service.sql<Row>("SELECT job_id, status, sha256 FROM static_export_jobs");
    const ends = await service.sql<{ job_id: string; ends: number }>(
        "SELECT job_id, count(*)::int AS ends FROM spec_ends GROUP BY job_id",
    );
    const endsOf = new Map(ends.map(({ job_id: jobId, ends: count }) => [jobId, count]));
    const stored = new Set(await service.stored());
    for (const { job_id: jobId, status, sha256 } of rows) {
        const job = jobs.get(jobId);
        if (job === undefined) {
            violate(`Job ${jobId} belongs to no start.`);
        } else if (job.final !== status) {
            violate(`Job ${jobId} is ${status}, and its client got ${job.final}.`);
        }
        if (endsOf.get(jobId) !== 1) {
            violate(`Job ${jobId} ended ${endsOf.get(jobId) ?? 0} times.`);
        }
        if (status === "completed" && !stored.has(sha256 ?? "")) {
            violate(`The bundle of job ${jobId} is not in the bucket.`);
        }
    }
    const found = new Set(rows.map(({ job_id: jobId }) => jobId));
    for (const jobId of [...jobs.keys()].filter((each) => !found.has(each))) {
        violate(`Job ${jobId} is not in the database.`);
    }
    const recorded = new Set(
        (await service.sql<{ sha256: string }>("SELECT sha256 FROM stored_bundles")).map(({ sha256 }) => sha256),
    );
    for (const sha256 of [...stored].filter((each) => !recorded.has(each))) {
        violate(`Archive ${sha256} is in the bucket, and not in the database.`);
    }
}

/**
 * Each completed agent job has one branch with its change once, also if it was archived later. A job that was archived
 * before has no branch. @returns how many branches have their change once
 */
async function checkBranches(
    service: ChaosService,
    { agentJobs }: ChaosClients,
    violate: (what: string) => void,
): Promise<number> {
    const { remote } = service;
    const branches = await remote.branches();
    const completed = new Set(
        (await service.sql<{ id: string }>("SELECT id FROM agent_jobs WHERE branch IS NOT NULL")).map(({ id }) => id),
    );
    let right = 0;
    for (const { id, token, final, prLink, isArchived } of agentJobs.values()) {
        const own = branches.filter((branch) => branch.includes(id));
        if (isArchived && final !== "archived") {
            violate(`Agent job ${id} was archived, and is ${final}.`);
        }
        if (final !== "completed" && !completed.has(id)) {
            if (own.length > 0) {
                violate(`Agent job ${id} is ${final} and has not completed, but has branch ${own.join()}.`);
            }
            continue;
        }
        const [branch = ""] = own;
        const changes = own.length === 1 ? (await remote.fileOn(branch, "index.md")).split(token).length - 1 : 0;
        if (changes !== 1 || prLink?.endsWith(branch) !== true) {
            violate(`Agent job ${id} has ${own.length} branches with ${changes} changes, and ${prLink}.`);
        }
        right += changes === 1 ? 1 : 0;
    }
    return right;
}
