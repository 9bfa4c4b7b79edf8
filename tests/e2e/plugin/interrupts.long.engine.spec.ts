import assert from "node:assert/strict";
import { ScriptedExporter } from "../../service/support/scripted-exporter.js";
import { InterruptedStack } from "../support/interrupted-stack.js";
import { assertSurvives, killPoints } from "../support/kill-points.js";
import { domain } from "../support/platform.js";
import { isLong } from "../../scale.js";
import { PluginFolder } from "./support/plugin-folder.js";
import { yamlProgram } from "./support/yaml-program.js";

describe("an interrupted pulumi up with the plugin, on the real engine,", () => {
    let plugin: PluginFolder;
    let exporter: ScriptedExporter;
    let fixture: InterruptedStack;

    before(async () => {
        plugin = await PluginFolder.create();
    });
    after(() => plugin.remove());
    beforeEach(async () => {
        exporter = new ScriptedExporter();
        const { pathFolders } = plugin;
        fixture = await InterruptedStack.create(exporter, { program: yamlProgram({ domain }), pathFolders });
    });
    afterEach(() => fixture.dispose());

    async function assertNextUpFinishes(): Promise<void> {
        await (await exporter.nth(1)).complete();
        const { exitCode, output } = await fixture.upAgain();
        assert.equal(exitCode, 0, output);
        assert.equal(fixture.count("start"), 1);
        await fixture.stack.succeed("preview", "--expect-no-changes");
    }

    it("stops waiting at the first Ctrl-C, saves the job, and resumes it without the journal", async () => {
        const run = fixture.startUp();
        await fixture.answered("get");
        process.kill(-run.child.pid!, "SIGINT");
        const { exitCode, output } = await run.result;
        assert.notEqual(exitCode, 0);
        assert.match(output, /Job se_\w+ is saved in the stack's state: the next `pulumi up` resumes it/);
        assert.match(String((await fixture.stack.resource())?.outputs["pendingJobId"]), /^se_/);
        await fixture.removeJournal();
        await assertNextUpFinishes();
    });

    // The dynamic resource's interruptions except signals, which reach the plugin in another way;
    // `npm run test:all` runs all of them.
    for (const point of isLong ? killPoints : killPoints.slice(0, 1)) {
        for (const interruption of point.interruptions.filter((each) => each.startsWith("SIGKILL"))) {
            it(`finishes with only one job after a ${interruption} ${point.name}`, () =>
                assertSurvives(fixture, exporter, point, interruption));
        }
    }

    it("shows the job's progress, and exits when its engine is killed, even with logging and tracing", async () => {
        const run = fixture.startUp(...["--logtostderr", "--logflow", "-v=1", "--tracing", "file:up.trace"]);
        await run.seen(/se_\w+: running, 0 %/);
        await fixture.answered("get");
        await fixture.interrupt(run, "SIGKILL of the engine");
        await assertNextUpFinishes();
    });

    it("stops waiting at the customTimeouts limit, saves even large inputs, and resumes the job", async () => {
        const inputs = { domain, triggers: "0123456789".repeat(50_000) };
        await fixture.stack.writeFiles(yamlProgram(inputs, {}, { customTimeouts: { create: "1s" } }));
        const { output } = await fixture.startUp().result;
        // On a busy machine, less than a second is left after the start.
        assert.match(output, /was not done after [01] s/);
        assert.match(String((await fixture.stack.resource())?.outputs["pendingJobId"]), /^se_/);
        await fixture.stack.writeFiles(yamlProgram(inputs));
        await assertNextUpFinishes();
    });
});
