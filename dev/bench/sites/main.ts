/**
 * Compares the edge of the chart documentation-sites with an nginx that caches the same bucket without the chart, and an
 * nginx that serves the same files from disk. The bucket is on an S3 server on this machine. See ../README.md for the
 * figures.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { Agent, get } from "node:http";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { publishSite, S3Target } from "@pulumi-static-export/sdk/publish";
import { bucket, credentials, S3Server, setCredentials } from "../../../tests/provider/bundle-mirror/s3-server.js";
import { LocalEdge } from "../../quickstart/src/bucket/local-edge.js";
import { cpuSecondsOf } from "../cpu-seconds.js";
import { runOnLinux } from "../run-on-linux.js";
import { PeerServer } from "./peer-servers.js";

const help = `Serves many sites of a bucket through one edge, through a plain cache, and from disk. Runs only on Linux.

    npm run bench sites -- [options]

    --sites <number>     sites of four files (default 3000)
    --requests <number>  requests of a warm round, to random sites (default 20000)
    --rounds <number>    warm rounds, in which the servers take turns (default 3)
    --help               this text
`;

const chart = fileURLToPath(new URL("../../../charts/documentation-sites", import.meta.url));
const siteFiles = ["index.html", "start.html", "guides/begin.html", "assets/app.0a1b2c3d.css"];
const pages = ["/", "/start", "/guides/begin", "/assets/app.0a1b2c3d.css"];
const clients = 32;
/** The chart's time, which is also the maximum age of a cached response without the chart. */
const recordSeconds = 5;

interface Options {
    readonly sites: number;
    readonly requests: number;
    readonly rounds: number;
}

/** A server to measure, and the process to which its workers belong. */
interface Subject {
    readonly name: string;
    readonly port: number;
    readonly processId: number;
}

type Server = LocalEdge | PeerServer;

await runOnLinux(help, parseOptions, measure);

function parseOptions(args: readonly string[]): Options | undefined {
    const { values } = parseArgs({
        args: [...args],
        options: {
            sites: { type: "string", default: "3000" },
            requests: { type: "string", default: "20000" },
            rounds: { type: "string", default: "3" },
            help: { type: "boolean", default: false },
        },
    });
    const { sites, requests, rounds } = values;
    return values.help ? undefined : { sites: Number(sites), requests: Number(requests), rounds: Number(rounds) };
}

async function measure({ sites, requests, rounds }: Options): Promise<void> {
    const restoreEnvironment = setCredentials();
    const folder = await mkdtemp(join(tmpdir(), "bench-sites-"));
    const hosts = Array.from({ length: sites }, (_, index) => `site-${index}.example.com`);
    const storage = await S3Server.start();
    const servers: Server[] = [];
    try {
        const releases = new Map<string, string>();
        await inTurn(hosts, async (host) => {
            releases.set(host, await publishFiles(folder, host, storage.endpoint));
        });
        await storage.admitEverybody();
        const place = { endpoint: storage.endpoint, bucket, ...credentials };
        const address = new URL(`${storage.endpoint}/${bucket}/sites/`);
        const start = async (name: string, starting: Promise<Server>) => {
            const server = await starting;
            servers.push(server);
            return { name, port: server.port, processId: server.processId };
        };
        const edge = (name: string, recordSeconds: number) =>
            LocalEdge.start(chart, join(folder, name), place, { bucket: { prefix: "sites/" } }, recordSeconds);
        const subjects: Subject[] = [
            await start("edge", edge("edge", recordSeconds)),
            await start("edge, records for an hour", edge("hour", 3600)),
            await start(
                "nginx proxy_cache",
                PeerServer.overBucket(join(folder, "plain"), address, releases, recordSeconds),
            ),
            await start("nginx over a disk", PeerServer.overDisk(join(folder, "nginx"), join(folder, "disk"))),
        ];
        console.log(`${cpus().length} cores, load average ${loadavg()[0]?.toFixed(1)}, ${sites} sites\n`);
        console.log("| what | requests | requests/s | p50 | p99 | CPU of the server a request | its memory |");
        console.log("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
        const everything = hosts.flatMap((host) => pages.map((page) => ({ host, page })));
        for (const subject of subjects) {
            await run(`${subject.name}, cold`, subject, everything);
        }
        for (let round = 1; round <= rounds; round += 1) {
            const asked = Array.from({ length: requests }, () => everything[(Math.random() * everything.length) | 0]!);
            for (const subject of subjects) {
                await run(`${subject.name}, warm, round ${round}`, subject, asked);
            }
        }
    } finally {
        for (const server of servers) {
            await server.stop();
        }
        await storage.stop();
        restoreEnvironment();
        await rm(folder, { recursive: true, force: true });
    }
}

/** @returns the folder of the release */
async function publishFiles(folder: string, host: string, endpoint: string): Promise<string> {
    const site = join(folder, "disk", host);
    const text = (page: string) =>
        `<!doctype html><title>${page} of ${host}</title>${"<p>Some text.</p>\n".repeat(300)}`;
    await mkdir(join(site, "guides"), { recursive: true });
    await mkdir(join(site, "assets"));
    for (const file of siteFiles) {
        await writeFile(join(site, file), text(file));
    }
    const location = { bucket, prefix: `sites/${host}/`, endpoint, region: "us-east-1", pathStyle: true };
    const { release } = await publishSite(await S3Target.open(location), {
        owner: host,
        switching: "releases",
        keep: 0,
        graceSeconds: 0,
        openSite: () => Promise.resolve({ folder: site }),
        signal: new AbortController().signal,
        log: () => undefined,
    });
    return release.prefix!.replace(/\/$/, "");
}

async function run(name: string, { port, processId }: Subject, asked: readonly { host: string; page: string }[]) {
    const before = new Map((await processesOf(processId)).map((each) => [each, cpuSecondsOf(each)]));
    const agent = new Agent({ keepAlive: true, maxSockets: clients });
    const times: number[] = [];
    const startedAt = performance.now();
    await inTurn(asked, async ({ host, page }) => {
        const askedAt = performance.now();
        await ask(port, host, page, agent);
        times.push(performance.now() - askedAt);
    });
    const seconds = (performance.now() - startedAt) / 1000;
    agent.destroy();
    times.sort((one, other) => one - other);
    const at = (share: number) => `${times[Math.floor((times.length - 1) * share)]!.toFixed(1)} ms`;
    // nginx's cache loader ends after a minute.
    const processes = await processesOf(processId);
    const cpuSeconds = sum(processes.map((each) => cpuSecondsOf(each) - (before.get(each) ?? 0)));
    const cpu = (cpuSeconds / asked.length) * 1e6;
    const megabytes = sum(await Promise.all(processes.map(memoryOf)));
    const cells = [name, asked.length, (asked.length / seconds).toFixed(0), at(0.5), at(0.99), `${cpu.toFixed(0)} µs`];
    console.log(`| ${[...cells, `${megabytes.toFixed(0)} MB`].join(" | ")} |`);
}

/** Requests a page; rejects if the response is not a page of the host. */
function ask(port: number, host: string, path: string, agent: Agent): Promise<void> {
    return new Promise((resolve, reject) => {
        get({ host: "127.0.0.1", port, path, agent, headers: { host } }, (response) => {
            let text = "";
            response.setEncoding("utf8").on("data", (part: string) => (text += part));
            response.on("end", () => {
                const isRight = response.statusCode === 200 && text.includes(` of ${host}<`);
                return isRight ? resolve() : reject(new Error(`${host}${path} answers ${response.statusCode}`));
            });
        }).on("error", reject);
    });
}

/** Works on several items at the same time, one per client. */
async function inTurn<T>(all: readonly T[], work: (each: T) => Promise<void>): Promise<void> {
    let next = 0;
    const worker = async () => {
        while (next < all.length) {
            await work(all[next++]!);
        }
    };
    await Promise.all(Array.from({ length: clients }, worker));
}

/** Returns the ids of a server's process and its workers. */
async function processesOf(processId: number): Promise<number[]> {
    const children = await readFile(`/proc/${processId}/task/${processId}/children`, "utf8");
    return [processId, ...(children.match(/\d+/g) ?? []).map(Number)];
}

/** Returns the process's private memory plus its proportional share of the memory that processes share. */
async function memoryOf(processId: number): Promise<number> {
    const text = await readFile(`/proc/${processId}/smaps_rollup`, "utf8");
    return Number(/^Pss: +(\d+)/m.exec(text)![1]) / 1024;
}

function sum(all: readonly number[]): number {
    return all.reduce((total, each) => total + each, 0);
}
