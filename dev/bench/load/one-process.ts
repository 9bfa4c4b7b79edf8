import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Command } from "../../../tests/cli/support/command.js";
import { median } from "../median.js";
import { Corpus } from "../site/corpus.js";
import { Clients, jobs, percentile } from "./clients.js";
import { startDownloads } from "./load.js";
import { measureServer, type PolledServer } from "./polled-server.js";

const domain = "docs.example.com";
const limitMs = 50;
const maxSlower = 1.05;

export interface OneProcessOptions {
    pollers: number;
    downloads: number;
    seconds: number;
    pages: number;
    intervalMs: number;
    /** The `static-export.js` of an earlier release, for the comparison. */
    earlier: string | undefined;
}

/** The service of one release; measurements alternate with those of another release's service. */
interface Release {
    name: string;
    /** The path of the release's `static-export.js`. @default that of this checkout */
    program?: string;
}

interface Measured {
    latencies: number[];
    /** The time of each export in milliseconds. */
    exportMs: number[];
}

const turns = 3;

/**
 * Measures the default service: one process with SQLite. Some clients poll, others download, and one export follows
 * another.
 * @returns whether the service stays within all limits
 */
export async function measureOneProcess(options: OneProcessOptions): Promise<boolean> {
    const folder = await mkdtemp(join(tmpdir(), "service-load-"));
    try {
        await new Corpus(options.pages).write(join(folder, "site"));
        const current: Release = { name: "service" };
        await measureRelease(folder, current, { ...options, downloads: 0, seconds: 5 });
        if (options.earlier === undefined) {
            return isFast(await measureRelease(folder, current, options));
        }
        const earlier: Release = { name: "earlier release", program: resolve(options.earlier) };
        const exportMs = { current: [] as number[], earlier: [] as number[] };
        const latencies: number[] = [];
        // Measures the releases alternately, so that other work on the machine affects both.
        for (let turn = 0; turn < turns; turn++) {
            exportMs.earlier.push(...(await measureRelease(folder, earlier, options)).exportMs);
            const measured = await measureRelease(folder, current, options);
            exportMs.current.push(...measured.exportMs);
            latencies.push(...measured.latencies);
        }
        const slower = median(exportMs.current) / median(exportMs.earlier);
        console.log(`Exports take ${slower.toFixed(2)} times as long as by the earlier release (limit ${maxSlower}).`);
        return isFast({ latencies }) && slower <= maxSlower;
    } finally {
        await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
}

function isFast({ latencies }: Pick<Measured, "latencies">): boolean {
    const isKept = percentile(latencies, 99) < limitMs;
    console.log(`p99 is ${isKept ? "under" : "over"} its limit of ${limitMs} ms.`);
    return isKept;
}

async function measureRelease(folder: string, release: Release, options: OneProcessOptions): Promise<Measured> {
    const dataDir = join(folder, release.name);
    const site = `${domain}=${join(folder, "site")}`;
    const args = ["serve", "--port", "0", "--site", site, "--data-dir", dataDir];
    const service = new Command(args, { cwd: folder, program: release.program });
    try {
        const url = await service.serves();
        const key = (await readFile(join(dataDir, "admin-api-key"), "utf8")).trim();
        const clients = new Clients(url, key);
        try {
            return await measure(clients, { name: release.name, url, key, processId: Number(service.pid) }, options);
        } finally {
            clients.close();
        }
    } finally {
        service.signal("SIGKILL");
        await service.exited;
    }
}

async function measure(clients: Clients, server: PolledServer, options: OneProcessOptions): Promise<Measured> {
    const { pollers, downloads, seconds, intervalMs } = options;
    const first = await clients.export(domain, "first");
    const polls = { path: `${jobs}/${first}`, pollers, intervalMs, seconds };
    if (downloads === 0) {
        const { latencies } = await measureServer(server, polls, `${pollers} pollers`);
        return { latencies, exportMs: [] };
    }
    const running = startDownloads({ ...server, link: await clients.bundleLink(first), downloads });
    const endMs = performance.now() + seconds * 1000;
    const exportMs: number[] = [];
    const exportAll = async (): Promise<void> => {
        for (let startedMs = performance.now(); startedMs < endMs; startedMs = performance.now()) {
            // A new version appears on every page, so that the export cannot reuse pages of the last export.
            await clients.export(domain, `${first} ${exportMs.length}`);
            exportMs.push(performance.now() - startedMs);
        }
    };
    const meanwhile = `with ${downloads} downloads and exports`;
    const [{ latencies }] = await Promise.all([measureServer(server, polls, meanwhile), exportAll()]);
    const { bytes } = await running.stop();
    console.log(
        `${exportMs.length} exports, ${median(exportMs).toFixed(0)} ms each (median), ${(bytes / 1e6).toFixed(0)} MB were downloaded meanwhile`,
    );
    return { latencies, exportMs };
}
