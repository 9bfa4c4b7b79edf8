import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AdminClient, createGate } from "@pulumi-static-export/sdk";
import { BundleLifecycle } from "../../../provider/src/static-export-bundle/lifecycle.js";
import type { BundleInputs, BundleState } from "../../../provider/src/static-export-bundle/model.js";
import { Journal } from "../../../provider/src/host/journal/journal.js";
import type { KeySource } from "../../../provider/src/host/settings.js";
import type { SavedFailure } from "../../../provider/src/host/saved-failure.js";
import { FakeClock } from "./fake-clock.js";
import { FakeMachine } from "./fake-machine.js";
import { FakePlatform } from "./fake-platform.js";

export const adminApiKey = "test_0123456789abcdef";

/** A lifecycle on a fake clock, against the platform in memory, with a real journal in a folder of its own. */
export class LifecycleFixture {
    static readonly startsAtOnce = 2;
    readonly clock = new FakeClock();
    readonly platform = new FakePlatform(this.clock);
    /** Where the refused key is said to come from. */
    keySource: KeySource = "configuration";
    readonly lines: string[] = [];
    readonly journalFolder = mkdtempSync(join(tmpdir(), "static-export-journal-"));
    #machine = new FakeMachine();
    #handedOver: (() => void)[] = [];
    lifecycle = this.#newProcess();

    dispose(): void {
        rmSync(this.journalFolder, { recursive: true, force: true });
    }

    /** What a kill of the provider leaves: a new process, the same disk. */
    restart(): void {
        this.#machine.killAll();
        this.#handedOver = [];
        this.lifecycle = this.#newProcess();
    }

    /** An ordinary end of `pulumi up`, and the process of the next one. */
    nextRun(): void {
        this.#handedOver.forEach((forget) => forget());
        this.restart();
    }

    /** Another process beside this one. */
    otherProcess(): BundleLifecycle {
        return this.#newProcess();
    }

    /** A process on another host that uses the same folder. */
    otherHost(): BundleLifecycle {
        return this.#newProcess({ machine: new FakeMachine() });
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

    /** A process of a user who has no home. */
    withoutFolder(): BundleLifecycle {
        return this.#newProcess({ hasFolder: false });
    }

    #newProcess({ machine = this.#machine, hasFolder = true } = {}): BundleLifecycle {
        const { clock, platform, lines } = this;
        const client = new AdminClient({
            baseUrl: "https://api.example.com",
            adminApiKey,
            fetch: platform.fetch,
            clock,
            random: () => 0.5,
        });
        return new BundleLifecycle({
            connect: () => ({ client, keySource: this.keySource }),
            engine: {
                whileAlive: (wait) => wait(),
                finish: (work) => work(),
                whenSaved: (forget) => this.#handedOver.push(forget),
            },
            journal: new Journal(hasFolder ? this.journalFolder : undefined, {
                report: (problem) => lines.push(problem),
                now: clock.now,
                elapsedMs: clock.now,
                processes: machine.start(),
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
