import { setTimeout as delay } from "node:timers/promises";
import { jobs, percentile } from "./clients.js";
import { ClusteredService, domains } from "./clustered-service.js";
import { startDownloads } from "./load.js";
import { measureServer, Peer } from "./polled-server.js";

const limitMs = 50;
const bundleBytes = 500e6;
const pollers = 1000;
const downloads = 100;
/** The bandwidth of one client's network. */
const bytesPerSecond = 1e6;
/** The polling interval of a client. The SDK polls less often: every 10 s after the first 20 s. */
const intervalMs = 2000;
const manyRows = 1_000_000;
/** The service limits its database statements to 30 seconds. */
const rowsAtOnce = 20_000;

/**
 * Measures requests of 1,000 clients that poll while 100 clients download 500 MB each. The same clients also poll a
 * minimal server, so that figures from a busy machine can be compared.
 */
export async function measureManyClients(seconds: number): Promise<boolean> {
    return withService(async (service) => {
        await service.addWorker(0, bundleBytes);
        const jobId = await service.clients.export(String(domains[0]), "1");
        const path = `${jobs}/${jobId}`;
        const peer = await Peer.start(JSON.stringify(await service.clients.ask("GET", path)));
        try {
            const polls = { path, pollers, intervalMs, seconds };
            const measureBoth = async (meanwhile: string) => {
                const { latencies: peers } = await measureServer(peer.server, polls, meanwhile);
                const { latencies, errors } = await measureServer(service.server, polls, meanwhile);
                const p99 = percentile(latencies, 99);
                console.log(`p99 of the service is ${(p99 / percentile(peers, 99)).toFixed(1)} times that of the peer`);
                return isUnder(p99, limitMs, `p99, ms, ${meanwhile}`) && errors === 0;
            };
            const isKeptAlone = await measureBoth(`${pollers} pollers`);
            const link = await service.clients.bundleLink(jobId);
            const running = startDownloads({ ...service.server, link, downloads, bytesPerSecond });
            const what = `${downloads} downloads of ${bundleBytes / 1e6} MB, ${bytesPerSecond / 1e6} MB/s each`;
            const isKept = await measureBoth(`${pollers} pollers, ${what}`);
            const { bytes } = await running.stop();
            console.log(`${(bytes / 1e6).toFixed(0)} MB were downloaded meanwhile`);
            return isKeptAlone && isKept;
        } finally {
            await peer.stop();
        }
    });
}

/** Measures 1, 2 and 4 workers whose exports take a second but no CPU time. */
export async function measureWorkers(): Promise<boolean> {
    const jobMs = 1000;
    const jobsPerWorker = 40;
    const perSecond: number[] = [];
    for (const workers of [1, 2, 4]) {
        perSecond.push(
            await withService(async (service) => {
                for (let count = 0; count < workers; count++) {
                    await service.addWorker(jobMs, 1000);
                }
                const wanted = workers * jobsPerWorker;
                const startedMs = performance.now();
                for (let index = 0; index < wanted; index++) {
                    const domain = String(domains[index % domains.length]);
                    await service.clients.ask("POST", jobs, { domain, version: String(index) });
                }
                await service.untilEmpty();
                return wanted / ((performance.now() - startedMs) / 1000);
            }),
        );
        const [one = NaN, last = NaN] = [perSecond[0], perSecond.at(-1)];
        const linear = last / (workers * one);
        console.log(`${workers} workers: ${last.toFixed(2)} jobs/s, ${linear.toFixed(2)} of linear`);
    }
    const [one = NaN, , four = NaN] = perSecond;
    return isUnder(0.9, four / (4 * one), "0.9 of linear by four workers");
}

/** Measures status requests, and the API's memory, with a few jobs in the table and with a million jobs. */
export async function measureManyJobs(seconds: number): Promise<boolean> {
    return withService(async (service) => {
        await service.addWorker(0, 1000);
        const { clients } = service;
        const jobId = await clients.export(String(domains[0]), "1");
        const polls = { path: `${jobs}/${jobId}`, pollers: 200, intervalMs: 1000, seconds };
        const measure = async (what: string) => {
            const { latencies } = await measureServer(service.server, polls, what);
            const startedMs = performance.now();
            await clients.export(String(domains[1]), what);
            const exportMs = performance.now() - startedMs;
            const megabytes = service.apiMegabytes();
            console.log(`${what}: an export ${exportMs.toFixed(0)} ms; API ${megabytes.toFixed(0)} MB`);
            return { p99: percentile(latencies, 99), megabytes };
        };
        await measure("warming up");
        const few = await measure("with 3 jobs");
        for (let first = 1; first < manyRows; first += rowsAtOnce) {
            await service.sql(
                `INSERT INTO static_export_jobs (job_id, domain, status, sha256, created_at, updated_at, linked_at)
             SELECT 'se_' || md5(n::text), 'docs-' || n % ${domains.length} || '.example.com', 'completed', md5(n::text),
                 extract(epoch FROM now()) * 1000, extract(epoch FROM now()) * 1000, extract(epoch FROM now()) * 1000
             FROM generate_series(${first}, ${first + rowsAtOnce - 1}) AS n`,
            );
        }
        await service.sql("ANALYZE static_export_jobs");
        // Lets the database write the new rows to disk first, so that the measurement does not include these writes.
        await delay(5000);
        const many = await measure(`with ${manyRows} jobs`);
        const isFast = isUnder(many.p99, Math.max(few.p99 * 1.25, few.p99 + 2), "p99, ms: unchanged within noise");
        return isUnder(many.megabytes, few.megabytes + 20, "memory of the API, MB: flat") && isFast;
    });
}

function isUnder(value: number, limit: number, what: string): boolean {
    const isKept = value < limit;
    console.log(`${isKept ? "kept" : "NOT KEPT"} (${what}): ${value.toFixed(2)} < ${limit.toFixed(2)}`);
    return isKept;
}

async function withService<Result>(use: (service: ClusteredService) => Promise<Result>): Promise<Result> {
    const service = await ClusteredService.start();
    try {
        return await use(service);
    } finally {
        await service.stop();
    }
}
