/**
 * Measures many bundles in one stack. Compares an update of 200 bundles with the slowest job plus the time of 200
 * trivial dynamic resources in the same run. Also compares the time that the last bundle adds to an update with the
 * time that the first bundle adds. See bench/README.md for the model and the figures.
 */
import { parseArgs } from "node:util";
import { EngineStack } from "../../../tests/e2e/support/engine-stack.js";
import { adminApiKey, Platform } from "../../../tests/e2e/support/platform.js";
import { median } from "../median.js";
import { MemoryWatch } from "./memory-watch.js";
import { pacedExporter } from "./paced-exporter.js";

const { values } = parseArgs({
    options: {
        bundles: { type: "string", default: "200" },
        "job-seconds": { type: "string", default: "60" },
        /** The default is the guide's advice for hundreds of bundles; an empty string selects Node.js's defaults. */
        "node-options": { type: "string", default: "--max-semi-space-size=1" },
        /** How often to add one more resource; the result is the median. */
        rounds: { type: "string", default: "3" },
    },
});
const bundles = Number(values.bundles);
const jobMs = Number(values["job-seconds"]) * 1000;
const rounds = Number(values.rounds);
const maxRatio = 1.15;
const maxProviderMegabytes = 150;

const bundlesProgram = `
const count = new pulumi.Config().requireNumber("count");
for (let index = 0; index < count; index++) {
    new StaticExportBundle(\`docs-\${index}\`, { domain: \`docs-\${index}.example.com\` });
}
`;
const trivialProgram = `
const provider = {
    async create(inputs: object) { return { id: "trivial", outs: inputs }; },
    async diff() { return { changes: false }; },
};
class Trivial extends pulumi.dynamic.Resource {
    constructor(name: string) { super(provider, name, { domain: name }, undefined, "bench", "Trivial"); }
}
const count = new pulumi.Config().requireNumber("count");
for (let index = 0; index < count; index++) {
    new Trivial(\`docs-\${index}\`);
}
`;

/** Medians over the rounds. `requests` counts the requests for start, polls and bundle. */
interface Cost {
    ms: number;
    requests: number;
}

const domains = Array.from({ length: bundles }, (_, index) => `docs-${index}.example.com`);
const platform = await Platform.start({ concurrency: bundles, exporter: pacedExporter(jobMs), domains });
/** The platform for one more bundle. The bundle's job takes no time, so that only the bundle's own cost is measured. */
const instant = await Platform.start({ concurrency: bundles, exporter: pacedExporter(0), domains });
const secret = { "static-export:adminApiKey": adminApiKey };
const env = { NODE_OPTIONS: values["node-options"] };
try {
    const trivialMs = await inStack(trivialProgram, platform, async (stack) => timeOf(() => up(stack, bundles)));
    const { allMs, peakMegabytes, providers } = await inStack(bundlesProgram, platform, async (stack) => {
        const memory = new MemoryWatch();
        const allMs = await timeOf(() => up(stack, bundles));
        return { allMs, ...memory.stop() };
    });
    const requests = platform.requests.length;
    const { first, last } = await inStack(bundlesProgram, instant, async (stack) => {
        return { first: await costOf(stack, 1), last: await costOf(stack, bundles) };
    });

    const limitMs = maxRatio * jobMs + trivialMs;
    const rows: [string, string, boolean][] = [
        [
            `${bundles} bundles at once`,
            `${seconds(allMs)}; limit ${seconds(limitMs)} = ${maxRatio} × job + trivial`,
            allMs <= limitMs,
        ],
        [`${bundles} trivial resources`, seconds(trivialMs), true],
        ["slowest job", seconds(jobMs), true],
        ["provider processes", `${providers}`, providers === 1],
        [
            "peak memory of the provider",
            `${peakMegabytes.toFixed(0)} MB; limit ${maxProviderMegabytes} MB`,
            peakMegabytes < maxProviderMegabytes,
        ],
        ["requests per bundle", (requests / bundles).toFixed(1), true],
        ["the first bundle adds", `${seconds(first.ms)}, ${first.requests} requests`, true],
        [
            `bundle ${bundles} in addition to ${bundles - 1} adds`,
            `${seconds(last.ms)}, ${last.requests} requests; limit ${seconds(maxRatio * first.ms)} = ${maxRatio} × first, and as many`,
            last.ms <= maxRatio * first.ms && last.requests === first.requests,
        ],
    ];
    for (const [what, figure, holds] of rows) {
        console.log(`${holds ? "  " : "✗ "}${what.padEnd(40)} ${figure}`);
    }
    process.exitCode = rows.every(([, , holds]) => holds) ? 0 : 1;
} finally {
    await platform.stop();
    await instant.stop();
}

async function inStack<T>(program: string, against: Platform, use: (stack: EngineStack) => Promise<T>): Promise<T> {
    const config = { "static-export:baseUrl": against.service.url };
    const stack = await EngineStack.create({ program, config, secret, env });
    try {
        return await use(stack);
    } finally {
        await stack.remove();
    }
}

async function up(stack: EngineStack, count: number): Promise<void> {
    await stack.succeed("config", "set", "count", `${count}`);
    await stack.up("--parallel", "200");
}

/** Measures the time that resource number `count` adds to an update that changes no other resource. */
async function costOf(stack: EngineStack, count: number): Promise<Cost> {
    const times: number[] = [];
    const requests: number[] = [];
    for (let round = 0; round < rounds; round++) {
        await up(stack, count - 1);
        const restMs = await timeOf(() => up(stack, count - 1));
        instant.requests.length = 0;
        times.push((await timeOf(() => up(stack, count))) - restMs);
        requests.push(instant.requests.length);
    }
    return { ms: median(times), requests: median(requests) };
}

async function timeOf(work: () => Promise<void>): Promise<number> {
    const startedMs = performance.now();
    await work();
    return performance.now() - startedMs;
}

function seconds(ms: number): string {
    return `${(ms / 1000).toFixed(1)} s`;
}
