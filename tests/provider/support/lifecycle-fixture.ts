import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AdminClient, createGate } from "@pulumi-static-export/sdk";
import { BundleLifecycle } from "../../../provider/src/bundle/lifecycle.js";
import type { BundleInputs, BundleState } from "../../../provider/src/bundle/model.js";
import { Journal } from "../../../provider/src/journal.js";
import type { SavedFailure } from "../../../provider/src/saved-failure.js";
import { FakeClock } from "./fake-clock.js";
import { FakePlatform } from "./fake-platform.js";

export const adminApiKey = "test_0123456789abcdef";

/** A lifecycle on a fake clock, against the platform in memory, with a real journal in a folder of its own. */
export class LifecycleFixture {
    static readonly startsAtOnce = 2;
    readonly clock = new FakeClock();
    readonly platform = new FakePlatform(this.clock);
    readonly lines: string[] = [];
    readonly journalFolder = mkdtempSync(join(tmpdir(), "static-export-journal-"));
    #processes = 0;
    lifecycle = this.#newProcess();

    dispose(): void {
        rmSync(this.journalFolder, { recursive: true, force: true });
    }

    /** What a kill of the provider leaves: a new process, the same disk. */
    restart(): void {
        this.lifecycle = this.#newProcess();
    }

    async create(inputs: BundleInputs): Promise<BundleState> {
        return (await this.lifecycle.create(inputs)).outs as BundleState;
    }

    /** A run that is to be killed: what becomes of it later is told to nobody. */
    createUnheard(inputs: BundleInputs): void {
        this.create(inputs).catch(() => undefined);
    }

    async update(olds: BundleState, news: BundleInputs): Promise<BundleState> {
        return (await this.lifecycle.update(olds.domain, olds, news)).outs as BundleState;
    }

    async changes(olds: BundleState, news: BundleInputs): Promise<boolean> {
        return (await this.lifecycle.diff(olds.domain, olds, news)).changes === true;
    }

    #newProcess(): BundleLifecycle {
        const { clock, platform, lines } = this;
        const client = new AdminClient({
            baseUrl: "https://api.example.com",
            adminApiKey,
            fetch: platform.fetch,
            clock,
            random: () => 0.5,
        });
        return new BundleLifecycle({
            connect: () => ({ client }),
            engine: { whileAlive: (wait) => wait(), finish: (work) => work() },
            journal: new Journal(this.journalFolder, {
                report: (problem) => lines.push(problem),
                now: clock.now,
                // No process has an id above the largest that Linux gives out: all earlier ones are dead.
                pid: 2 ** 22 + ++this.#processes,
            }),
            startGate: createGate(LifecycleFixture.startsAtOnce),
            clock,
            print: (line) => lines.push(line),
        });
    }
}

/** The state that Pulumi saves when this fails; fails the spec when it does not, or when nothing is saved. */
export async function savedStateOf(failing: Promise<unknown>): Promise<{ state: BundleState; message: string }> {
    try {
        await failing;
    } catch (error) {
        const { id, properties, message } = error as SavedFailure;
        if (!id) {
            throw new Error(`nothing was saved: ${message}`, { cause: error });
        }
        return { state: properties as BundleState, message };
    }
    throw new Error("it did not fail");
}
