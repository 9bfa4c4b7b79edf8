import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import fc from "fast-check";
import { createReport } from "../../../cli/src/preview/preview-report.js";
import { readEvents } from "../../../cli/src/preview/log/read-events.js";
import { EngineStack } from "../support/engine-stack.js";
import { adminApiKey, Platform } from "../support/platform.js";
import { type StateResource } from "./support/preview-stack.js";

const sites = 30;
const domainOf = (site: number) => `site-${site}.example.com`;
const past = "2026-11-01T00:00:00.000Z";

/** Missing in half of the cases. */
const perhaps = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 1 });

/** The arguments of a resource besides its domain, as the source text of a program. */
const anyArguments = fc.record({
    version: fc.constantFrom('"1"', '"2"'),
    paths: perhaps(fc.constantFrom('["/", "/start"]', '["/start"]')),
    triggers: perhaps(
        fc.constantFrom('"a"', '"b"', 'pulumi.secret("a")', 'pulumi.secret("b")', '["a", pulumi.secret("c")]'),
    ),
    renewBeforeSeconds: perhaps(fc.constantFrom("60", String(7 * 86_400))),
    renewLink: perhaps(fc.constant("false")),
});

/** The damage that an earlier run left in the state. */
const anyPast = fc.constantFrom("nothing", "nothing", "expired", "lost", "pending", "no link");

/** The changed arguments, or a job that the program names. */
const anyChange = fc.oneof(
    fc.constant({}),
    anyArguments,
    fc.record({ triggers: fc.constantFrom('pulumi.secret("a")', 'pulumi.secret("b")') }),
    fc.record({ jobId: fc.constantFrom("its own", "another") }),
    fc.record({ domain: fc.constant("moved") }),
);

const anySite = fc.record({ before: anyArguments, past: anyPast, change: anyChange });
type Site = typeof anySite extends fc.Arbitrary<infer T> ? T : never;

function declare(type: string, site: number, values: object): string {
    const args = Object.entries({ domain: `"${domainOf(site)}"`, ...values })
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => `${name}: ${value}`);
    return `new ${type}("site-${site}", { ${args.join(", ")} });`;
}

describe("The preview report on the real engine, for random states and programs", function () {
    this.timeout(300_000);
    let platform: Platform;
    let stack: EngineStack;

    before(async () => {
        const domains = Array.from({ length: sites }, (_, site) => [
            domainOf(site),
            `moved-${site}.example.com`,
        ]).flat();
        platform = await Platform.start({ domains });
        stack = await EngineStack.create({
            program: "export const nothing = true;",
            config: { "static-export:baseUrl": platform.service.url },
            secret: { "static-export:adminApiKey": adminApiKey },
            env: { PULUMI_DEBUG_COMMANDS: "1" },
        });
    });
    after(async () => {
        await stack.remove();
        await platform.stop();
    });

    async function exportState(): Promise<{ deployment: { resources: StateResource[] } }> {
        const { stdout } = await stack.succeed("stack", "export");
        return JSON.parse(stdout) as { deployment: { resources: StateResource[] } };
    }

    async function resources(): Promise<Map<string, StateResource>> {
        const { deployment } = await exportState();
        const ours = deployment.resources.filter(({ type }) => type.includes("static-export:"));
        return new Map(ours.map((resource) => [resource.urn, resource]));
    }

    async function reportedEffects(): Promise<Map<string, string>> {
        const file = join(stack.folder, "events.log");
        const { exitCode, output } = await stack.run("preview", "--event-log", file);
        assert.equal(exitCode, 0, output);
        const log = await readEvents(Readable.from([await readFile(file, "utf8")]), "The log");
        return new Map(createReport(log).exports.map(({ urn, effect }) => [urn, effect]));
    }

    it("equals what `pulumi up` does", async () => {
        const cases = fc.sample(anySite, sites);
        const typeOf = (site: number) => (site % 5 === 0 ? "StaticExportJob" : "StaticExportBundle");
        const ofType = (site: number, { renewBeforeSeconds, renewLink, jobId, ...values }: Record<string, unknown>) =>
            site % 5 === 0 ? values : { ...values, renewBeforeSeconds, renewLink, jobId };
        const programOf = (argumentsOf: (site: Site, index: number) => Record<string, unknown>) =>
            `const { StaticExportJob } = require("pulumi-static-export");\n` +
            cases.map((each, site) => declare(typeOf(site), site, ofType(site, argumentsOf(each, site)))).join("\n");
        await stack.writeProgram(programOf(({ before }) => before));
        await stack.up();

        const state = await exportState();
        const bundleOf = (site: number) =>
            state.deployment.resources.find(({ urn }) => urn.endsWith(`::site-${site}`))!.outputs;
        const jobs = cases.map((_, site) => String(bundleOf(site)["jobId"]));
        cases.forEach(({ past: cause }, site) => leave(bundleOf(site), cause, typeOf(site)));
        await writeFile(join(stack.folder, "state.json"), JSON.stringify(state));
        await stack.succeed("stack", "import", "--file", "state.json");

        await stack.writeProgram(
            programOf(({ before, change }, site) => {
                const { jobId, domain, ...edited }: Record<string, string | undefined> = { ...change };
                const job = jobId === "another" ? jobs[(site + 1) % sites] : jobs[site];
                return {
                    ...before,
                    ...edited,
                    ...(jobId !== undefined && { jobId: `"${job}"` }),
                    ...(domain !== undefined && { domain: `"moved-${site}.example.com"` }),
                };
            }),
        );
        const before = await resources();
        const told = await reportedEffects();
        await stack.up();
        const wrong: string[] = [];
        for (const [urn, { outputs, inputs }] of await resources()) {
            const done = effectOf(before.get(urn)!.outputs, outputs, { jobs, named: inputs["jobId"] });
            const effect = told.get(urn) ?? "nothing";
            const site = cases[Number(urn.split("-").at(-1))];
            const hidesSecret = JSON.stringify(site).includes("pulumi.secret");
            if (effect !== done && !(effect === "perhaps" && hidesSecret)) {
                wrong.push(`${urn}: the report says ${effect}, but it was ${done}: ${JSON.stringify(site)}`);
            }
        }
        assert.deepEqual(wrong, []);
        assert.ok(new Set(told.values()).size >= 3, [...told.values()].join(", "));
    });
});

function leave(outputs: Record<string, unknown>, cause: Site["past"], type: string): void {
    if (cause === "lost") {
        delete outputs["jobId"];
    } else if (type === "StaticExportBundle" && cause === "expired") {
        outputs["expiresAt"] = past;
    } else if (type === "StaticExportBundle" && cause === "pending") {
        outputs["pendingJobId"] = outputs["jobId"];
        delete outputs["jobId"];
    } else if (type === "StaticExportBundle" && cause === "no link") {
        delete outputs["bundleUrl"];
    }
}

function effectOf(
    before: Record<string, unknown>,
    after: Record<string, unknown>,
    { jobs, named }: { jobs: readonly string[]; named: unknown },
): string {
    if (!jobs.includes(String(after["jobId"]))) {
        return "export";
    }
    if (before["pendingJobId"] === after["jobId"]) {
        return "resume";
    }
    if (named === after["jobId"] && before["jobId"] !== named) {
        return "adopt";
    }
    return before["expiresAt"] === after["expiresAt"] ? "nothing" : "renew";
}
