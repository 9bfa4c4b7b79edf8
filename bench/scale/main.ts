/**
 * How many bundles one stack carries: 200 of them, updated at once, against the slowest job plus what 200 trivial
 * dynamic resources take in the same run. See bench/README.md for what is modelled and what was measured.
 */
import { parseArgs } from "node:util";
import { EngineStack } from "../../tests/e2e/support/engine-stack.js";
import { adminApiKey, Platform } from "../../tests/e2e/support/platform.js";
import { MemoryWatch } from "./memory-watch.js";
import { pacedExporter } from "./paced-exporter.js";

const { values } = parseArgs({
    options: {
        bundles: { type: "string", default: "200" },
        "job-seconds": { type: "string", default: "60" },
        /** What the guide advises for hundreds of bundles; an empty text measures Node's own settings. */
        "node-options": { type: "string", default: "--max-semi-space-size=1" },
    },
});
const bundles = Number(values.bundles);
const jobMs = Number(values["job-seconds"]) * 1000;
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

const domains = Array.from({ length: bundles }, (_, index) => `docs-${index}.example.com`);
const platform = await Platform.start({ concurrency: bundles, exporter: pacedExporter(jobMs), domains });
const config = { "static-export:baseUrl": platform.service.url };
const secret = { "static-export:adminApiKey": adminApiKey };
const env = { NODE_OPTIONS: values["node-options"] };
try {
    const trivialMs = await inStack(trivialProgram, async (stack) => timeOf(() => up(stack, bundles)));
    const { allMs, peakMegabytes, providers } = await inStack(bundlesProgram, async (stack) => {
        const memory = new MemoryWatch();
        const allMs = await timeOf(() => up(stack, bundles));
        return { allMs, ...memory.stop() };
    });
    const requests = platform.requests.length;
    const { first, last } = await inStack(bundlesProgram, async (stack) => {
        const first = await oneMore(stack, 1);
        await up(stack, bundles - 1);
        return { first, last: await oneMore(stack, bundles) };
    });

    const limitMs = maxRatio * jobMs + trivialMs;
    const rows: [string, string, boolean][] = [
        [`${bundles} bundles at once`, `${seconds(allMs)}; limit ${seconds(limitMs)} = ${maxRatio} × job + trivial`, allMs <= limitMs],
        [`${bundles} trivial resources`, seconds(trivialMs), true],
        ["slowest job", seconds(jobMs), true],
        ["provider processes", `${providers}`, providers === 1],
        ["peak memory of the provider", `${peakMegabytes.toFixed(0)} MB; limit ${maxProviderMegabytes} MB`, peakMegabytes < maxProviderMegabytes],
        ["requests per bundle", (requests / bundles).toFixed(1), true],
        ["requests for the first bundle", `${first}`, true],
        [`requests for bundle ${bundles} beside ${bundles - 1}`, `${last}`, last === first],
    ];
    for (const [what, figure, holds] of rows) {
        console.log(`${holds ? "  " : "✗ "}${what.padEnd(36)} ${figure}`);
    }
    process.exitCode = rows.every(([, , holds]) => holds) ? 0 : 1;
} finally {
    await platform.stop();
}

async function inStack<T>(program: string, use: (stack: EngineStack) => Promise<T>): Promise<T> {
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

/** The start and bundle requests that one more bundle costs; polls depend on how long a job takes, and on nothing else. */
async function oneMore(stack: EngineStack, count: number): Promise<number> {
    platform.requests.length = 0;
    await up(stack, count);
    return platform.count("start") + platform.count("bundle");
}

async function timeOf(work: () => Promise<void>): Promise<number> {
    const startedMs = performance.now();
    await work();
    return performance.now() - startedMs;
}

function seconds(ms: number): string {
    return `${(ms / 1000).toFixed(1)} s`;
}
