/** Measures the figures of docs/guides/one-machine-or-many.md. ../README.md has those of the last machines. */
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { cpuSecondsOf } from "../cpu-seconds.js";
import { memoryOf } from "../memory-of.js";
import { runOnLinux } from "../run-on-linux.js";
import { ourBuilder } from "../site/builders.js";
import { Corpus } from "../site/corpus.js";
import { type Usage } from "../site/measured-process.js";

const help = `Measures the figures of the guide about sizes, and prints a table for dev/bench/README.md.
Runs only on Linux.

    npm run bench figures -- [options]

    --pages <numbers>   sizes of the exported sites (default 60,2000,10000,20000; 200000 takes 15 minutes)
    --requests <number> status requests to one service (default 5000)
    --help              this text
`;

interface Options {
    readonly pages: readonly number[];
    readonly requests: number;
}

const command = fileURLToPath(new URL("../../../cli/bin/static-export.js", import.meta.url));
const domain = "docs.example.com";
/** How often the guide's clients read the status of a job. */
const pollSeconds = 2;
/** The service renders smaller exports on one core. */
const pagesForTwoCores = 300;

await runOnLinux(help, parseOptions, async ({ pages, requests }) => {
    const { stdout } = await promisify(execFile)("git", ["rev-parse", "--short=10", "HEAD"]);
    const [processor] = cpus();
    const machine = `${cpus().length} × ${processor?.model}, Node.js ${process.version}`;
    console.log(`${new Date().toISOString().slice(0, 10)}, commit ${stdout.trim()}: ${machine}, load ${load()}\n`);
    console.log("| what | CPU time | memory |\n| --- | --- | --- |");
    for (const count of pages) {
        await measureExports(count);
    }
    await measureService(requests);
    console.log(`\nload at the end ${load()}`);
});

function parseOptions(args: readonly string[]): Options | undefined {
    const { values } = parseArgs({
        args: [...args],
        options: {
            pages: { type: "string", default: "60,2000,10000,20000" },
            requests: { type: "string", default: "5000" },
            help: { type: "boolean", default: false },
        },
    });
    const options = { pages: values.pages.split(",").map(Number), requests: Number(values.requests) };
    if (![...options.pages, options.requests].every((count) => Number.isInteger(count) && count > 0)) {
        throw new Error("--pages and --requests must be whole numbers from 1 on.");
    }
    return values.help ? undefined : options;
}

/** Exports a site on one core three times (first, unchanged, and with one changed page), and on two cores once. */
async function measureExports(pageCount: number): Promise<void> {
    const corpus = new Corpus(pageCount);
    await ourBuilder(1).withProject(corpus, async (project) => {
        const first = await project.build();
        row(`export of ${pageCount} pages`, first.usage);
        const share = ({ cpuSeconds }: Usage) => `, ${((100 * cpuSeconds) / first.usage.cpuSeconds).toFixed(0)} %`;
        const unchanged = await project.build();
        row(`the same, nothing changed${share(unchanged.usage)}`, unchanged.usage);
        await corpus.changeOnePage(project.pagesDir);
        const changed = await project.build();
        row(`the same, one page changed${share(changed.usage)}`, changed.usage);
    });
    if (pageCount >= pagesForTwoCores) {
        const { usage } = await ourBuilder(2).withProject(corpus, (project) => project.build());
        row("the same, all pages, on two cores", usage);
    }
}

/** Measures the service's process before and after an export of 60 pages, and while clients read the job's status. */
async function measureService(requests: number): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), "bench-figures-"));
    const pages = join(folder, "pages");
    await new Corpus(60).write(pages);
    const serve = ["serve", "--site", `${domain}=${pages}`, "--data-dir", join(folder, "data"), "--port", "0"];
    const service = spawn(process.execPath, [command, ...serve], { stdio: ["ignore", "pipe", "inherit"] });
    const ended = once(service, "exit");
    try {
        const jobs = `${await addressOf(service)}/v1/static-export/jobs`;
        const key = (await readFile(join(folder, "data", "admin-api-key"), "utf8")).trim();
        const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
        const memory = (what: string) => console.log(`| ${what} | | ${memoryOf(service.pid!, "now").toFixed(0)} MB |`);
        memory("service, just started");
        const started = await fetch(jobs, { method: "POST", headers, body: JSON.stringify({ domain }) });
        const { jobId: id } = (await started.json()) as { jobId: string };
        const status = async () => {
            const response = await fetch(`${jobs}/${id}`, { headers });
            if (!response.ok) {
                throw new Error(`the status of ${id} answered ${response.status}: ${await response.text()}`);
            }
            return ((await response.json()) as { status: string }).status;
        };
        while (["queued", "running"].includes(await status())) {
            await setTimeout(100);
        }
        memory("service, after an export of 60 pages (the export has its own process)");
        const before = cpuSecondsOf(service.pid!);
        const client = async () => {
            for (let sent = 0; sent < requests / 20; sent++) {
                await status();
            }
        };
        await Promise.all(Array.from({ length: 20 }, client));
        const each = (cpuSecondsOf(service.pid!) - before) / requests;
        const clients = Math.floor(pollSeconds / each);
        console.log(`| a status request (${clients} clients of one core) | ${(each * 1000).toFixed(2)} ms | |`);
        memory(`service, after ${requests} status requests`);
    } finally {
        service.kill();
        await ended;
        await rm(folder, { recursive: true, force: true });
    }
}

/** Reads the service's whole output, because the service ends when nobody reads it. */
function addressOf({ stdout }: ChildProcess): Promise<string> {
    return new Promise((resolve, reject) => {
        let said = "";
        stdout!.setEncoding("utf8").on("data", (text: string) => {
            said += text;
            const address = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
            if (address !== undefined) {
                resolve(address);
            }
        });
        stdout!.once("end", () => reject(new Error(`static-export serve ended: ${said}`)));
    });
}

function row(what: string, { cpuSeconds, peakMegabytes }: Usage): void {
    console.log(`| ${what} | ${cpuSeconds.toFixed(2)} s | ${peakMegabytes.toFixed(0)} MB |`);
}

function load(): string {
    return (loadavg()[0] ?? Number.NaN).toFixed(1);
}
