import assert from "node:assert/strict";
import { ScriptedExporter } from "../../service/support/scripted-exporter.js";
import { HeldStarts } from "../support/held-starts.js";
import { InterruptedStack } from "../support/interrupted-stack.js";
import { assertFinishes, assertSurvives, killPoints } from "../support/kill-points.js";
import { isLong, itInLong } from "../../scale.js";

describe("an interrupted pulumi up on the real engine", () => {
    let exporter: ScriptedExporter;
    let fixture: InterruptedStack;
    beforeEach(async () => {
        exporter = new ScriptedExporter();
        fixture = await InterruptedStack.create(exporter);
    });
    afterEach(() => fixture.dispose());

    it("lets the export finish after the first Ctrl-C, and saves the export", async () => {
        const run = fixture.startUp();
        await fixture.answered("get");
        process.kill(-run.child.pid!, "SIGINT");
        await run.seen(/\^C received; cancelling/);
        await (await exporter.nth(1)).complete();
        const { output } = await run.result;
        assert.match(output, /bundle ready/);
        assert.match(await assertFinishes(fixture, fixture.upAgain()), /2 unchanged/);
        assert.equal(fixture.count("start"), 1);
    });

    // `npm test` tries only the second interruption, which the provider does not notice.
    for (const point of isLong ? killPoints : killPoints.slice(0, 1)) {
        for (const interruption of isLong ? point.interruptions : point.interruptions.slice(1, 2)) {
            it(`resumes the same job after a ${interruption} ${point.name}`, () =>
                assertSurvives(fixture, exporter, point, interruption));
        }
    }

    itInLong(
        "makes an immediately following run wait for the response to the interrupted run's start request",
        async () => {
            const held = await HeldStarts.before(fixture.platform.service.url);
            try {
                await fixture.stack.configure({ config: { "static-export:baseUrl": held.url } });
                const run = fixture.startUp();
                await fixture.journalWritten();
                fixture.abandon(run);
                await fixture.unlock();
                const next = fixture.startUp();
                await next.seen(/another run is starting an export with the same inputs: waiting for its job/);
                held.release();
                await (await exporter.nth(1)).complete();
                await assertFinishes(fixture, next.result);
                assert.equal(fixture.count("start"), 1);
            } finally {
                held.stop();
            }
        },
    );
});
