import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import type { Operation } from "@pulumi-static-export/service";
import type { InterruptedStack, Interruption } from "./interrupted-stack.js";

type Event = "launch" | "start" | "get" | "end";

export const anyInterruption = fc.record({
    how: fc.constantFrom<Interruption[]>(
        "second Ctrl-C",
        "second SIGTERM",
        "SIGKILL of the engine",
        "SIGKILL of the provider",
        "SIGKILL of the engine and the provider",
    ),
    /** The delay before the interruption; a run that ends earlier is not interrupted. */
    after: fc.constantFrom<Event[]>("launch", "start", "start", "get", "get", "get", "end"),
    ms: fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 2500 })),
});

type RandomInterruption = typeof anyInterruption extends fc.Arbitrary<infer T> ? T : never;

/** The requests of a run for the current resource: its start, its polls, and the last request. */
export type Operations = Readonly<Record<Exclude<Event, "launch">, Operation>>;

/** Whether a case interrupted a run with a job, only runs without a job, or no run. */
export type Effect = "with a job" | "without a job" | "none";

/** Launches a run for each interruption, and interrupts it. */
export async function interruptRuns(
    fixture: InterruptedStack,
    interruptions: readonly RandomInterruption[],
    operations: Operations,
): Promise<{ effect: Effect; outputs: string[] }> {
    let effect: Effect = "none";
    const outputs: string[] = [];
    const startsBefore = fixture.count(operations.start);
    const hasStarted = () => fixture.count(operations.start) > startsBefore;
    for (const { how, after, ms } of interruptions) {
        const run = fixture.startUp();
        // A run that adopts the previous run's job starts no job.
        const event = after === "start" && hasStarted() ? "get" : after;
        const operation = event === "launch" ? undefined : operations[event];
        const reached =
            operation === undefined ? Promise.resolve() : fixture.answered(operation, fixture.count(operation) + 1);
        const isOver = await Promise.race([reached.then(() => delay(ms, false)), run.result.then(() => true)]);
        const hasJob = hasStarted();
        const { exitCode, output } = isOver ? await run.result : await fixture.interrupt(run, how);
        outputs.push(output);
        if (exitCode !== 0 && effect !== "with a job") {
            effect = hasJob ? "with a job" : "without a job";
        }
        await fixture.unlock();
    }
    return { effect, outputs };
}

/**
 * Returns the number of additional requests that the runs may have sent: one for each unknown outcome, and one for each
 * result that Pulumi received as the second Ctrl-C arrived, because it is unknown whether Pulumi saved it.
 */
export function extraRights(outputs: readonly string[]): number {
    const unanswered = outputs.filter((text) => /got no response to its request/.test(text));
    return unanswered.length + outputs.filter(isLostDelivery).length;
}

export function isLostDelivery(output: string): boolean {
    return /: bundle ready,|: completed/.test(output) && /\(interrupted\)/.test(output);
}
