/**
 * Compares `static-export publish` with `aws s3 sync` against an S3 server on this machine. See ../README.md for the
 * figures.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ensurePythonPrograms } from "@pulumi-static-export/toolchain";
import { bucket, S3Server, setCredentials } from "../../../tests/provider/bundle-mirror/s3-server.js";
import { startPassingProxy } from "../../../tests/sdk/support/passing-proxy.js";
import { cpuSecondsOf } from "../cpu-seconds.js";
import { median } from "../median.js";
import { runOnLinux } from "../run-on-linux.js";
import { runMeasured, type Usage } from "../site/measured-process.js";
import { compareWithOneResourceAFile } from "./one-resource-a-file.js";
import { publishTwoJobs } from "./two-jobs.js";
import { changePage, writeSite } from "./written-site.js";

const help = `Publishes sites to an S3 server on this machine, with this package and with the AWS CLI. Linux.

    npm run bench publish -- [options]

    --files <numbers>   sites of so many files (default 2000,20000)
    --large <number>    a site for the memory of this package, without the AWS CLI (default 200000; 0 for none)
    --resources <number> a site that the engine publishes as one resource for each file, and as one BucketSite
                        (default 2000; 0 for none)
    --rounds <number>   how often each is measured (default 3; the large one is measured once)
    --help              this text
`;

const command = fileURLToPath(new URL("../../../cli/bin/static-export.js", import.meta.url));
const goal = { uploadRatio: 0.5, requests: 20, changeSeconds: 1, backSeconds: 5, changeFiles: 20_000, megabytes: 200 };

interface Figure extends Usage {
    readonly serverCpuSeconds: number;
    readonly requests?: number;
}

/** One of the two programs that publish a folder to a prefix. */
type Publisher = (folder: string, prefix: string, endpoint: string) => { program?: string; args: readonly string[] };
type Publishers = Readonly<Record<string, Publisher>>;

interface Options {
    readonly sizes: readonly number[];
    readonly large: number;
    readonly resources: number;
    readonly rounds: number;
}

const ours: Publishers = {
    "static-export publish": (folder, prefix, endpoint) => ({
        args: [command, "publish", folder, "--to", `s3://${bucket}/${prefix}`, "--bucket-endpoint", endpoint],
    }),
};

await runOnLinux(help, parseOptions, measure);

function parseOptions(args: readonly string[]): Options | undefined {
    const { values } = parseArgs({
        args: [...args],
        options: {
            files: { type: "string", default: "2000,20000" },
            large: { type: "string", default: "200000" },
            resources: { type: "string", default: "2000" },
            rounds: { type: "string", default: "3" },
            help: { type: "boolean", default: false },
        },
    });
    if (values.help) {
        return undefined;
    }
    const sizes = values.files.split(",").filter((size) => size !== "");
    const [large, resources, rounds] = [values.large, values.resources, values.rounds].map(Number) as [
        number,
        number,
        number,
    ];
    return { sizes: sizes.map(Number), large, resources, rounds };
}

async function measure({ sizes, large, resources, rounds }: Options): Promise<void> {
    const both = sizes.length === 0 ? ours : { ...ours, ...(await awsCli()) };
    process.env["AWS_DEFAULT_REGION"] = "us-east-1";
    const restoreEnvironment = setCredentials();
    const folder = await mkdtemp(join(tmpdir(), "bench-publish-"));
    try {
        console.log(`Node.js ${process.version}, ${cpus().length} cores, load average ${loadavg()[0]?.toFixed(1)}\n`);
        console.log("| files | what | wall, median | all rounds | CPU | its server's CPU | peak memory | requests |");
        console.log("| ---: | --- | ---: | --- | ---: | ---: | ---: | ---: |");
        for (const files of sizes) {
            await measureSize(join(folder, String(files)), files, rounds, both);
        }
        if (large > 0) {
            const figures = await measureSize(join(folder, "large"), large, 1, ours);
            judge(
                Math.max(...figures.flat().map(({ peakMegabytes }) => peakMegabytes)),
                goal.megabytes,
                "MB of memory",
            );
        }
        if (resources > 0) {
            await compareWithOneResourceAFile(folder, resources);
        }
    } finally {
        restoreEnvironment();
        await rm(folder, { recursive: true, force: true });
    }
}

async function awsCli(): Promise<Publishers> {
    const program = join(await ensurePythonPrograms({ name: "awscli", version: "1.45.11" }), "aws");
    return {
        "aws s3 sync": (folder, prefix, endpoint) => ({
            program,
            args: ["s3", "sync", folder, `s3://${bucket}/${prefix}`, "--only-show-errors", "--endpoint-url", endpoint],
        }),
    };
}

/** Each round starts with empty storage. */
async function measureSize(site: string, files: number, rounds: number, publishers: Publishers): Promise<Figure[][]> {
    await writeSite(site, files);
    const all = Object.entries(publishers).map(([name, publisher]) => ({
        name,
        publisher,
        first: [] as Figure[],
        changed: [] as Figure[],
    }));
    const ofJobs = {
        changed: [] as Figure[],
        inProcess: [] as Pick<Usage, "wallSeconds" | "cpuSeconds">[],
        back: [] as Figure[],
    };
    for (let round = 0; round < rounds; round += 1) {
        for (const [index, { publisher, first, changed }] of all.entries()) {
            const server = await S3Server.start();
            try {
                first.push(await publishOnce(server, publisher(site, "site", server.endpoint)));
                await changePage(site, round * all.length + index);
                const proxy = await startPassingProxy(server.endpoint);
                const figure = await publishOnce(server, publisher(site, "site", proxy.endpoint));
                changed.push({ ...figure, requests: proxy.requests });
                if (index === 0 && files <= goal.changeFiles) {
                    const publish = async (jobId: string) => {
                        proxy.requests = 0;
                        const { args } = publisher(jobId, "site", proxy.endpoint);
                        const published = await publishOnce(server, { args: [...args, "--keep", "1"] });
                        return { ...published, requests: proxy.requests };
                    };
                    const location = { bucket, prefix: "site/", endpoint: server.endpoint };
                    const {
                        changed: second,
                        back,
                        inProcess,
                    } = await publishTwoJobs(site, 1000 + 2 * round, publish, location);
                    ofJobs.changed.push(second);
                    ofJobs.inProcess.push(inProcess);
                    ofJobs.back.push(back);
                }
                proxy.close();
            } finally {
                await server.stop();
            }
        }
    }
    for (const { name, first, changed } of all) {
        printRow(files, `${name}: first upload`, first);
        printRow(files, `${name}: one page changed`, changed);
    }
    const [own, peer] = all;
    const { changed, inProcess, back } = ofJobs;
    judge(Math.max(...[...own!.changed, ...changed].map(({ requests = 0 }) => requests)), goal.requests, "requests");
    if (changed.length > 0) {
        printRow(files, `${own!.name}: one page changed, from a job`, changed);
        const [wallSeconds, cpuSeconds] = [inProcess.map(wall), inProcess.map((each) => each.cpuSeconds)].map(median);
        const times = `${wallSeconds!.toFixed(2)} s | – | ${cpuSeconds!.toFixed(2)} s`;
        console.log(`| ${files} | the same in a process that runs already, without unpacking | ${times} | – | – | – |`);
        printRow(files, `${own!.name}: back to the job before`, back);
        // Measures CPU time, because other work on the machine affects elapsed time.
        judge(cpuSeconds!, goal.changeSeconds, "s of CPU for one changed page, without start and unpacking");
        judge(median(back.map(wall)), goal.backSeconds, "s back to the job before");
    }
    if (peer !== undefined) {
        const ratio = median(own!.first.map(wall)) / median(peer.first.map(wall));
        judge(ratio, goal.uploadRatio, "of the AWS CLI's time");
    }
    return all.map(({ first, changed }) => [...first, ...changed]);
}

async function publishOnce(server: S3Server, started: ReturnType<Publisher>): Promise<Figure> {
    const before = cpuSecondsOf(server.processId);
    const usage = await runMeasured({ ...started, cwd: tmpdir() });
    return { ...usage, serverCpuSeconds: cpuSecondsOf(server.processId) - before };
}

function wall({ wallSeconds }: Pick<Usage, "wallSeconds">): number {
    return wallSeconds;
}

function printRow(files: number, what: string, figures: readonly Figure[]): void {
    const middle = (figure: (each: Figure) => number) => median(figures.map(figure)).toFixed(2);
    const rounds = figures.map((each) => each.wallSeconds.toFixed(1)).join(", ");
    const cells = [
        String(files),
        what,
        `${middle(wall)} s`,
        rounds,
        `${middle((each) => each.cpuSeconds)} s`,
        `${middle((each) => each.serverCpuSeconds)} s`,
        `${Math.max(...figures.map(({ peakMegabytes }) => peakMegabytes)).toFixed(0)} MB`,
        figures[0]?.requests === undefined ? "–" : String(Math.max(...figures.map(({ requests = 0 }) => requests))),
    ];
    console.log(`| ${cells.join(" | ")} |`);
}

function judge(figure: number, limit: number, what: string): void {
    if (figure > limit) {
        console.error(`broken: ${figure.toFixed(2)} ${what}, and the limit is ${limit}`);
        process.exitCode = 1;
    }
}
