import assert from "node:assert/strict";
import { ScriptedExporter } from "../../service/support/scripted-exporter.js";
import { HeldStarts } from "../support/held-starts.js";
import { InterruptedStack, type Interruption } from "../support/interrupted-stack.js";
import { type CommandResult } from "../support/run-command.js";

/** One that the provider hears of, and one that it does not; the others in `npm run test:all`. */
const few: Interruption[] = ["second Ctrl-C", "SIGKILL of the engine"];
const more: Interruption[] = ["second SIGTERM", "SIGKILL of the provider"];
const isLong = process.env["INTERRUPTIONS"] === "every";
/** Those that are tried: of a table of them, all or the first. */
const tried = (...interruptions: Interruption[]) => (isLong ? interruptions : interruptions.slice(0, 1));

describe("pulumi up, interrupted, on the real engine", () => {
    let exporter: ScriptedExporter;
    let fixture: InterruptedStack;
    beforeEach(async () => {
        exporter = new ScriptedExporter();
        fixture = await InterruptedStack.create(exporter);
    });
    afterEach(() => fixture.dispose());

    /** The next run needs nothing but itself, and leaves nothing to the one after it. */
    const assertNextUpFinishes = () => assertFinishes(fixture.upAgain());
    const assertFinishes = async (run: Promise<CommandResult>) => {
        const { exitCode, output } = await run;
        assert.equal(exitCode, 0, output);
        const { bundleUrl, pendingJobId } = (await fixture.stack.resource())!.outputs;
        assert.ok(bundleUrl);
        assert.equal(pendingJobId, undefined);
        return output;
    };

    it("lets the export finish after the first Ctrl-C, and saves it", async () => {
        const run = fixture.startUp();
        await fixture.answered("get");
        process.kill(-run.child.pid!, "SIGINT");
        await run.seen(/\^C received; cancelling/);
        await (await exporter.nth(1)).complete();
        const { output } = await run.result;
        assert.match(output, /bundle ready/);
        assert.match(await assertNextUpFinishes(), /2 unchanged/);
        assert.equal(fixture.count("start"), 1);
    });

    for (const interruption of isLong ? [...few, ...more] : few) {
        it(`continues the same job after a ${interruption} while it waited`, async () => {
            const run = fixture.startUp();
            await fixture.answered("get");
            await fixture.interrupt(run, interruption);
            await (await exporter.nth(1)).complete();
            assert.match(await assertNextUpFinishes(), /adopted: another run started it for the same inputs/);
            assert.equal(fixture.count("start"), 1);
        });
    }

    for (const interruption of tried("SIGKILL of the engine", "SIGKILL of the provider")) {
        it(`runs no second job after a ${interruption} between the bundle's answer and its save`, async () => {
            const run = fixture.startUp();
            await (await exporter.nth(1)).complete();
            await fixture.answered("bundle");
            await fixture.interrupt(run, interruption);
            await assertNextUpFinishes();
            assert.equal(fixture.count("start"), 1);
        });
    }

    for (const interruption of tried("second Ctrl-C", "SIGKILL of the engine")) {
        it(`finishes a start that is under way after a ${interruption}, so that no second job is started`, async () => {
            fixture.platform.service.setFaults(["start:delay=3s"]);
            const run = fixture.startUp();
            await fixture.journalWritten();
            await fixture.interrupt(run, interruption);
            await (await exporter.nth(1)).complete();
            assert.match(await assertNextUpFinishes(), /adopted: another run started it for the same inputs/);
            assert.equal(fixture.count("start"), 1);
        });
    }

    it("waits for the answer to a start that a killed run has under way, when the next run follows at once", async () => {
        const held = await HeldStarts.before(fixture.platform.service.url);
        try {
            await fixture.stack.succeed("config", "set", "static-export:baseUrl", held.url);
            const run = fixture.startUp();
            await fixture.journalWritten();
            fixture.abandon(run);
            await fixture.unlock();
            const next = fixture.startUp();
            await next.seen(/another run is starting an export with the same inputs: waiting for its job/);
            held.release();
            await (await exporter.nth(1)).complete();
            await assertFinishes(next.result);
            assert.equal(fixture.count("start"), 1);
        } finally {
            held.stop();
        }
    });

    for (const interruption of tried("SIGKILL of the provider", "second Ctrl-C")) {
        it(`repeats a start that was under way at a ${interruption}, so that there is one job`, async () => {
            // Held far longer than the spec lasts, and given up when the service closes: no job comes of it.
            fixture.platform.service.setFaults(["start:delay=10m"]);
            const run = fixture.startUp();
            await fixture.journalWritten();
            await fixture.interrupt(run, interruption);
            fixture.platform.service.setFaults([]);
            const next = assertNextUpFinishes();
            await (await exporter.nth(1)).complete();
            assert.match(
                await next,
                /an earlier run, at .*, got no response to its request\. Repeating it with the same/,
            );
            assert.equal(exporter.begun.length, 1);
        });
    }
});
