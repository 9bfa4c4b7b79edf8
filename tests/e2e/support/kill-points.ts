import assert from "node:assert/strict";
import type { ScriptedExporter } from "../../service/support/scripted-exporter.js";
import type { InterruptedStack, Interruption } from "./interrupted-stack.js";
import type { CommandResult } from "./run-command.js";

/** The point at which a run is interrupted, and the expected next run. */
interface KillPoint {
    /** Completes "resumes the same job after a SIGKILL of the engine …". */
    name: string;
    interruptions: readonly Interruption[];
    faults?: readonly string[];
    /** Whether the export is complete before the run is interrupted. */
    isExported?: boolean;
    /** Resolves when the run has reached the point. */
    reached(fixture: InterruptedStack): Promise<void>;
    says: RegExp;
}

const adopts = /adopted: another run started it for the same inputs/;

/** Interruptions that the provider notices come first. */
export const killPoints: readonly KillPoint[] = [
    {
        name: "while it waited",
        interruptions: [
            "second Ctrl-C",
            "SIGKILL of the engine",
            "second SIGTERM",
            "SIGKILL of the provider",
            "SIGKILL of the engine and the provider",
        ],
        reached: (fixture) => fixture.answered("get"),
        says: adopts,
    },
    {
        name: "between the bundle's answer and its save",
        interruptions: ["SIGKILL of the engine", "SIGKILL of the provider", "SIGKILL of the engine and the provider"],
        isExported: true,
        reached: (fixture) => fixture.answered("bundle"),
        says: /./,
    },
    {
        name: "while a start was under way, which it finishes",
        interruptions: ["second Ctrl-C", "SIGKILL of the engine"],
        faults: ["start:delay=3s"],
        reached: (fixture) => fixture.journalWritten(),
        says: adopts,
    },
    {
        name: "while a start was under way that comes to nothing, which the next run repeats",
        interruptions: ["SIGKILL of the provider", "second Ctrl-C", "SIGKILL of the engine and the provider"],
        // The service delays this request much longer than the spec takes, and drops the request on close, so that no
        // job starts.
        faults: ["start:delay=10m"],
        reached: (fixture) => fixture.journalWritten(),
        says: /an earlier run, at .*, got no response to its request\. Repeating it with the same/,
    },
];

/** Interrupts a run at the point; the next run finishes the job without help, and starts no second job. */
export async function assertSurvives(
    fixture: InterruptedStack,
    exporter: ScriptedExporter,
    { faults = [], isExported = false, reached, says }: KillPoint,
    interruption: Interruption,
): Promise<void> {
    const complete = async (): Promise<void> => (await exporter.nth(1)).complete();
    const { service } = fixture.platform;
    service.setFaults([...faults]);
    const run = fixture.startUp();
    if (isExported) {
        await complete();
    }
    await reached(fixture);
    await fixture.interrupt(run, interruption);
    service.setFaults([]);
    const [output] = await Promise.all([assertFinishes(fixture, fixture.upAgain()), isExported || complete()]);
    assert.match(output, says);
    assert.equal(exporter.begun.length, 1);
}

/** Asserts that a run succeeds, so that the next run has nothing to do. */
export async function assertFinishes(fixture: InterruptedStack, run: Promise<CommandResult>): Promise<string> {
    const { exitCode, output } = await run;
    assert.equal(exitCode, 0, output);
    const { bundleUrl, pendingJobId } = (await fixture.stack.resource())!.outputs;
    assert.ok(bundleUrl);
    assert.equal(pendingJobId, undefined);
    return output;
}
