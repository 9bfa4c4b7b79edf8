import assert from "node:assert/strict";
import { ExportJobLifecycle } from "../../../provider/src/static-export-job/lifecycle.js";
import type { ExportJobState } from "../../../provider/src/static-export-job/model.js";
import { BundleLifecycle } from "../../../provider/src/static-export-bundle/lifecycle.js";
import type { BundleState } from "../../../provider/src/static-export-bundle/model.js";
import {
    type Death,
    deaths,
    type Loss,
    losses,
    type NextRun,
    nextRuns,
    readGuide,
} from "../../e2e/lost-machines/support/guide-table.js";
import { FakePlatform, type Operation } from "../support/fake-platform.js";
import { ProviderFixture } from "../support/provider-fixture.js";

const ways = ["one resource", "two resources"] as const;
const pipelineRuns: Readonly<Record<NextRun, string | undefined>> = {
    "the same run again": "GITHUB_RUN_ID=1",
    "another run": "GITHUB_RUN_ID=2",
    "a laptop": undefined,
};

interface Case {
    death: Death;
    loss: Loss;
    honoursKeys: boolean;
    way: (typeof ways)[number];
}

/** The content of the checkpoint. */
interface State {
    job?: ExportJobState;
    bundle?: BundleState;
}

interface Lifecycles {
    job: ExportJobLifecycle;
    bundle: BundleLifecycle;
}

const site = { domain: "docs.example.com", __provider: "shim" };
const type = "pulumi-nodejs:dynamic/static-export:";

/** Runs one `pulumi up`, and saves each result in the checkpoint, as Pulumi does. */
async function up({ job, bundle }: Lifecycles, way: Case["way"], state: State): Promise<void> {
    if (way === "two resources") {
        state.job ??= (await job.create(site)).outs as ExportJobState;
    }
    if (state.bundle === undefined) {
        const named = state.job?.jobId === undefined ? {} : { jobId: state.job.jobId };
        state.bundle = (await bundle.create({ ...site, ...named })).outs as BundleState;
    }
}

/** Compares the number of the platform's jobs before a machine is lost and after the next run has succeeded. */
async function rehearse({ death, loss, honoursKeys, way }: Case, nextRun: string | undefined): Promise<string> {
    const fixture = new ProviderFixture<Lifecycles, FakePlatform>(
        (clock) => new FakePlatform(clock),
        (runtime) => ({
            job: new ExportJobLifecycle({ ...runtime, identityOf: () => identityOf("StaticExportJob") }),
            bundle: new BundleLifecycle({ ...runtime, identityOf: () => identityOf("StaticExportBundle") }),
        }),
    );
    try {
        const { server } = fixture;
        server.honoursKeys = honoursKeys;
        fixture.pipelineRun = "GITHUB_RUN_ID=1";
        fixture.freshMachine();
        let state: State = {};
        if (death === "while the start is answered" || death === "during the wait") {
            const operation: Operation = death === "during the wait" ? "get" : "start";
            server.hang = operation;
            const asked = server.requested(operation);
            up(fixture.lifecycle, way, state).catch(() => undefined);
            await asked;
            state = { ...state };
            if (operation === "start") {
                server.release();
            }
        } else if (death !== "before the start") {
            await up(fixture.lifecycle, way, state);
            if (death === "between the bundle and the checkpoint") {
                delete state.bundle;
            }
        }
        server.hang = undefined;
        const before = server.jobs.size;
        fixture.pipelineRun = nextRun;
        fixture.freshMachine();
        await up(fixture.lifecycle, way, loss === "disk" ? state : {});
        return before === 0 ? "starts it" : server.jobs.size === before ? "found" : "**again**";
    } finally {
        fixture.dispose();
    }
}

function identityOf(name: string): { project: string; stack: string; type: string; name: string } {
    return { project: "docs", stack: "production", type: type + name, name: "docs" };
}

describe("The guide's table of lost machines", () => {
    for (const loss of losses) {
        for (const death of deaths) {
            it(`describes the outcome if a machine dies ${death}, with its ${loss}`, async () => {
                for (const honoursKeys of [true, false]) {
                    for (const way of ways) {
                        const ends: string[] = [];
                        for (const nextRun of nextRuns) {
                            ends.push(await rehearse({ death, loss, honoursKeys, way }, pipelineRuns[nextRun]));
                        }
                        const hasTwoResources = way === "two resources";
                        const guide = await readGuide(death, loss, { honoursKeys, hasTwoResources });
                        assert.deepEqual(guide, ends, `${way}, ${honoursKeys ? "with keys" : "without keys"}`);
                    }
                }
            });
        }
    }
});
