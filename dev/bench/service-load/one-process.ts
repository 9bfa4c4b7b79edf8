import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Command } from "../../../tests/cli/support/command.js";
import { Corpus } from "../site-export/corpus.js";
import { Clients, describeLatencies, jobs, percentile } from "./clients.js";

const domain = "docs.example.com";
const limitMs = 50;
const maxSlower = 1.05;

export interface OneProcessOptions {
    pollers: number;
    downloads: number;
    seconds: number;
    pages: number;
    intervalMs: number;
    /** The `static-export.js` of an earlier release, to compare with. */
    earlier: string | undefined;
}

interface Measured {
    latencies: number[];
    exports: number;
    megabytes: number;
}

/**
 * The default: one process with SQLite. Clients poll, others download, and one export follows another.
 *
 * @returns whether all limits are kept
 */
export async function measureOneProcess(options: OneProcessOptions): Promise<boolean> {
    const folder = await mkdtemp(join(tmpdir(), "service-load-"));
    try {
        await new Corpus(options.pages).write(join(folder, "site"));
        const quiet = await withService(folder, undefined, (clients, first) =>
            measure(clients, first, { ...options, downloads: 0, seconds: 5 }),
        );
        print("alone", quiet);
        const loaded = await withService(folder, undefined, (clients, first) => measure(clients, first, options));
        print("with exports and downloads", loaded);
        const isFast = percentile(loaded.latencies, 99) < limitMs;
        console.log(`p99 is ${isFast ? "under" : "over"} its limit of ${limitMs} ms.`);
        if (options.earlier === undefined) {
            return isFast;
        }
        const earlier = await withService(folder, options.earlier, (clients, first) =>
            measure(clients, first, options),
        );
        print("the same by the earlier release", earlier);
        const slower = earlier.exports / loaded.exports;
        console.log(`Exports take ${slower.toFixed(2)} times as long as by the earlier release (limit ${maxSlower}).`);
        return isFast && slower <= maxSlower;
    } finally {
        await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
}

async function withService(
    folder: string,
    program: string | undefined,
    use: (clients: Clients, first: string) => Promise<Measured>,
): Promise<Measured> {
    const dataDir = join(folder, program === undefined ? "data" : "data of the earlier release");
    const site = `${domain}=${join(folder, "site")}`;
    const args = ["serve", "--port", "0", "--site", site, "--data-dir", dataDir];
    const service = new Command(args, { cwd: folder, program });
    try {
        const url = await service.serves();
        const clients = new Clients(url, (await readFile(join(dataDir, "admin-api-key"), "utf8")).trim());
        try {
            return await use(clients, await clients.export(domain, "first"));
        } finally {
            clients.close();
        }
    } finally {
        service.signal("SIGKILL");
        await service.exited;
    }
}

async function measure(clients: Clients, first: string, options: OneProcessOptions): Promise<Measured> {
    const { pollers, downloads, seconds, intervalMs } = options;
    const link = await clients.bundleLink(first);
    const endMs = performance.now() + seconds * 1000;
    const going = (): boolean => performance.now() < endMs;
    let exports = 0;
    let bytes = 0;
    const download = async (): Promise<void> => {
        while (going()) {
            bytes += await clients.download(link);
            // Real clients are limited by their network: pause, instead of downloading as fast as loopback allows.
            await delay(1000);
        }
    };
    const exportAll = async (): Promise<void> => {
        while (downloads > 0 && going()) {
            // Another version stands on every page: nothing can be taken over from the last export.
            await clients.export(domain, `${first} ${++exports}`);
        }
    };
    const [latencies] = await Promise.all([
        clients.poll({ path: `${jobs}/${first}`, pollers, intervalMs, seconds }),
        exportAll(),
        ...Array.from({ length: downloads }, download),
    ]);
    return { latencies, exports, megabytes: bytes / 1e6 };
}

function print(what: string, { latencies, exports, megabytes }: Measured): void {
    console.log(`${what}: ${describeLatencies(latencies)}; ${exports} exports, ${megabytes.toFixed(0)} MB downloaded`);
}
