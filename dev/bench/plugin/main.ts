/**
 * Compares the plugin with a trivial plugin and with dynamic resources in the same run: start, previews, memory, and
 * many bundles in one stack. See bench/README.md for the model and the figures.
 */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Exporter } from "@pulumi-static-export/exporter";
import { build } from "esbuild";
import { stringify } from "yaml";
import { EngineStack } from "../../../tests/e2e/support/engine-stack.js";
import { PluginFolder } from "../../../tests/e2e/plugin/support/plugin-folder.js";
import { adminApiKey, Platform } from "../../../tests/e2e/support/platform.js";
import { cpuSecondsOfChildren } from "../cpu-seconds.js";
import { median } from "../median.js";
import { MemoryWatch } from "../scale/memory-watch.js";
import { pacedExporter } from "../scale/paced-exporter.js";
import { startFirst, timeToFirstResponse } from "./first-response.js";
import { compareWithDynamic } from "./one-bundle.js";
import { TimedExporter } from "./timed-exporter.js";

const { values } = parseArgs({
    options: {
        rounds: { type: "string", default: "5" },
        /** The number of bundles in the comparison of memory. */
        bundles: { type: "string", default: "200" },
        /** The number of bundles in one stack. */
        many: { type: "string", default: "1000" },
        "job-seconds": { type: "string", default: "60" },
        /** Selects figures by a part of their names. */
        only: { type: "string", default: "" },
    },
});
const rounds = Number(values.rounds);
const jobMs = Number(values["job-seconds"]) * 1000;
const isPlugin = /pulumi-resource-static-export/;

const plugin = await PluginFolder.create();
const trivialCommand = await bundleTrivialPlugin(join(plugin.folder, "trivial"));
try {
    console.log(`Node.js ${process.version}, ${cpus().length} cores, ${rounds} rounds, ${load()}`);
    const command = join(plugin.folder, "pulumi-resource-static-export");
    await startFirst(command);
    const parts: Record<string, () => Promise<void>> = {
        start: () => compareStarts(command),
        "preview of 1": () => comparePreviews(1),
        "preview of 100": () => comparePreviews(100),
        memory: () => compareMemory(Number(values.bundles)),
        many: () => runMany(Number(values.many)),
        "one bundle": () => compareWithDynamic(rounds),
    };
    for (const [, measure] of Object.entries(parts).filter(([name]) => name.includes(values.only))) {
        await measure();
    }
} finally {
    await plugin.remove();
}

async function compareStarts(command: string): Promise<void> {
    await report(
        "start to first response",
        "ms",
        () => timeToFirstResponse(command),
        150,
        () => timeToFirstResponse(trivialCommand),
    );
}

async function comparePreviews(count: number): Promise<void> {
    await withStack(yamlStack("static-export:StaticExportBundle", count), undefined, (ours) =>
        withStack(yamlStack("trivial:Resource", count), undefined, async (trivial) => {
            const [oursCpu, trivialCpu]: [number[], number[]] = [[], []];
            const preview = (stack: EngineStack, cpuSeconds: number[]) => async () => {
                const before = cpuSecondsOfChildren();
                const ms = await timeOf(() => stack.succeed("preview"));
                cpuSeconds.push(cpuSecondsOfChildren() - before);
                return ms;
            };
            await report(`preview of ${count}`, "ms", preview(ours, oursCpu), undefined, preview(trivial, trivialCpu));
            // On a busy machine, CPU time is more reliable than elapsed time.
            const [own, other] = [median(oursCpu), median(trivialCpu)];
            const figures = `${own.toFixed(2)} s; trivial: ${other.toFixed(2)} s; ratio ${(own / other).toFixed(2)}`;
            console.log(`  ${"its CPU time".padEnd(28)} ${figures}`);
        }),
    );
}

async function compareMemory(count: number): Promise<void> {
    const peakOf = async (program: string | Record<string, string>, isProvider?: RegExp): Promise<number> => {
        const memory = new MemoryWatch(isProvider);
        await withStack(program, { count, exporter: pacedExporter(5000) }, (stack) =>
            stack.up("--parallel", `${count}`),
        );
        return memory.stop().peakMegabytes;
    };
    const dynamic = `
for (let index = 0; index < ${count}; index++) {
    new StaticExportBundle(\`docs-\${index}\`, { domain: \`docs-\${index}.example.com\` });
}
`;
    const ofDynamic = await peakOf(dynamic);
    const ofPlugin = await peakOf(yamlStack("static-export:StaticExportBundle", count), isPlugin);
    show(
        `memory with ${count} bundles`,
        `${ofPlugin.toFixed(0)} MB; dynamic: ${ofDynamic.toFixed(0)} MB; limit half of it`,
        ofPlugin <= ofDynamic / 2,
    );
}

async function runMany(count: number): Promise<void> {
    const up = (type: string, exporter: Exporter) =>
        withStack(yamlStack(type, count), { count, exporter }, (stack) =>
            timeOf(() => stack.up("--parallel", `${count}`)),
        );
    const jobs = new TimedExporter(pacedExporter(jobMs));
    const floorMs = await up("trivial:Resource", jobs);
    const memory = new MemoryWatch(isPlugin);
    const ms = await up("static-export:StaticExportBundle", jobs);
    const { peakMegabytes } = memory.stop();
    const limitMs = 1.1 * (jobs.slowestMs + floorMs);
    show(
        `${count} bundles at once`,
        `${seconds(ms)}; limit ${seconds(limitMs)} = 1.1 × (slowest job ${seconds(jobs.slowestMs)} + floor ${seconds(floorMs)})`,
        ms <= limitMs,
    );
    show(`memory with ${count} bundles`, `${peakMegabytes.toFixed(0)} MB; limit 150 MB`, peakMegabytes < 150);
}

/**
 * Alternates the two measurements, so that the machine is about equally busy for both. The default limit is 1.05 times
 * the trivial plugin's time.
 */
async function report(
    what: string,
    unit: string,
    ours: () => Promise<number>,
    limit: number | undefined,
    trivial: () => Promise<number>,
): Promise<void> {
    const pairs: [number, number][] = [];
    for (let round = 0; round < rounds; round++) {
        pairs.push([await ours(), await trivial()]);
    }
    const ourMedian = median(pairs.map(([own]) => own));
    const trivialMedian = median(pairs.map(([, other]) => other));
    const ratio = median(pairs.map(([own, other]) => own / other));
    const figures = `${ourMedian.toFixed(0)} ${unit}; trivial: ${trivialMedian.toFixed(0)} ${unit}; ratio ${ratio.toFixed(2)}`;
    show(what, figures, limit === undefined ? ratio <= 1.05 : ourMedian < limit);
}

function show(what: string, figures: string, holds: boolean): void {
    console.log(`${holds ? "  " : "✗ "}${what.padEnd(28)} ${figures} (${load()})`);
    if (!holds) {
        process.exitCode = 1;
    }
}

function yamlStack(type: string, count: number): Record<string, string> {
    const resources = Array.from({ length: count }, (_, index) => [
        `docs-${index}`,
        { type, properties: { domain: `docs-${index}.example.com` } },
    ]);
    return {
        "Pulumi.yaml": stringify({
            name: "bench",
            runtime: "yaml",
            resources: Object.fromEntries(resources) as object,
        }),
    };
}

/** @param jobs - the number of the platform's domains, and their exporter; without `jobs`, no platform starts */
async function withStack<T>(
    program: string | Record<string, string>,
    jobs: { count: number; exporter: Exporter } | undefined,
    use: (stack: EngineStack) => Promise<T>,
): Promise<T> {
    const domains = Array.from({ length: jobs?.count ?? 0 }, (_, index) => `docs-${index}.example.com`);
    const platform = jobs && (await Platform.start({ concurrency: jobs.count, exporter: jobs.exporter, domains }));
    const stack = await EngineStack.create({
        program,
        pathFolders: [...plugin.pathFolders, join(plugin.folder, "trivial")],
        ...(platform && {
            config: { "static-export:baseUrl": platform.service.url },
            secret: { "static-export:adminApiKey": adminApiKey },
        }),
    });
    try {
        return await use(stack);
    } finally {
        await stack.remove();
        await platform?.stop();
    }
}

/** Bundles the trivial plugin in the same way as ours. Returns the command. */
async function bundleTrivialPlugin(folder: string): Promise<string> {
    mkdirSync(folder);
    const script = join(folder, "trivial.cjs");
    await build({
        entryPoints: [fileURLToPath(new URL("trivial-plugin.ts", import.meta.url))],
        outfile: script,
        bundle: true,
        minify: true,
        platform: "node",
        target: "node22.13",
        format: "cjs",
        logLevel: "error",
    });
    const command = join(folder, "pulumi-resource-trivial");
    writeFileSync(command, `#!/bin/sh\nexec node --no-deprecation "${script}" "$@"\n`);
    chmodSync(command, 0o755);
    return command;
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
    const startedMs = performance.now();
    await work();
    return performance.now() - startedMs;
}

function seconds(ms: number): string {
    return `${(ms / 1000).toFixed(1)} s`;
}

function load(): string {
    return `load average ${loadavg()[0]?.toFixed(1)}`;
}
