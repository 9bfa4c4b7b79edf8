import assert from "node:assert/strict";
import { mock } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { silentLogger } from "../../../service/src/shared/logger.js";
import { ShownChange } from "../../../service/src/agents/shown-change.js";

interface Given {
    /** The answer of the remote to the push that takes the branch back. */
    takeBack: (signal: AbortSignal) => Promise<boolean>;
    closing?: AbortSignal;
}

/** The push of a new branch, whose remote a spec controls. */
function pushed({ takeBack, closing = new AbortController().signal }: Given) {
    const notes: string[] = [];
    const shown = new ShownChange({
        ...{ jobId: "aj_1", what: "Agent job aj_1", logger: silentLogger, closing },
        repository: {
            fetch: () => Promise.resolve(),
            has: () => Promise.resolve(true),
            remoteHead: () => Promise.resolve("c1"),
            takeBack: (_commit, { signal }) => takeBack(signal!),
        },
        pullRequests: { close: () => Promise.resolve(undefined) },
        log: { note: (line: string) => void notes.push(line) },
    });
    shown.pushes({ branch: "agent/1", base: undefined, commits: ["c1"] });
    return { shown, notes };
}

/** A remote that does not answer. */
const never = (signal: AbortSignal): Promise<boolean> =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("no answer"))));

describe("The push for an archived job", () => {
    beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
    afterEach(() => mock.timers.reset());

    /** @returns whether the change was left to the next run, once `ms` have passed */
    async function after(ms: number, undo: Promise<{ isCut: boolean }>): Promise<boolean | "going on"> {
        await turn();
        mock.timers.tick(ms);
        await turn();
        return Promise.race([undo.then(({ isCut }) => isCut), turn("going on" as const)]);
    }

    it("is taken back, and the log says so only if the branch was still there", async () => {
        for (const isChanged of [true, false]) {
            const { shown, notes } = pushed({ takeBack: () => Promise.resolve(isChanged) });
            assert.deepEqual(await shown.undo(), { isCut: false });
            const line = "Took the push to agent/1 back, because the job was archived.";
            assert.deepEqual(notes, isChanged ? [line] : []);
        }
    });

    it("has minutes for a slow remote, and is not left to another run after them", async () => {
        const undo = pushed({ takeBack: never }).shown.undo();
        assert.equal(await after(60_000, undo), "going on");
        assert.equal(await after(240_000, undo), false);
    });

    it("has only seconds once its process closes, and is then left to the next run", async () => {
        for (const closesBefore of [true, false]) {
            const closing = new AbortController();
            if (closesBefore) {
                closing.abort();
            }
            const undo = pushed({ takeBack: never, closing: closing.signal }).shown.undo();
            closing.abort();
            assert.equal(await after(9000, undo), "going on");
            assert.equal(await after(1000, undo), true);
        }
    });

    it("is not left to another run if it is taken back while its process closes", async () => {
        const { shown } = pushed({ takeBack: () => Promise.resolve(true), closing: AbortSignal.abort() });
        assert.deepEqual(await shown.undo(), { isCut: false });
    });
});
