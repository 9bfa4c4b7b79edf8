import assert from "node:assert/strict";
import { type Pod, watchRollout } from "../../../provider/src/site/rollout-watch.js";

const ended = (containerID: string, message: string, { exitCode = 1, name = "fetch-bundle" } = {}): Pod => ({
    metadata: { name: `docs-${containerID}` },
    status: { initContainerStatuses: [{ name, state: { terminated: { containerID, exitCode, message } } }] },
});

/** What is reported when the cluster shows these pods, look by look. */
async function reports(...looks: (Pod[] | Error)[]): Promise<string[]> {
    const lines: string[] = [];
    const ending = new AbortController();
    await watchRollout({
        listPods: () => {
            const look = looks.shift() ?? [];
            return look instanceof Error ? Promise.reject(look) : Promise.resolve(look);
        },
        report: (line) => lines.push(line),
        signal: ending.signal,
        delay: () => {
            if (looks.length === 0) {
                ending.abort();
            }
            return Promise.resolve();
        },
    });
    return lines;
}

describe("the watch over a rollout", () => {
    it("reports why a pod has no site", async () => {
        assert.deepEqual(await reports([], [ended("a", "No connection to 10.0.0.1:9000.\n")]), [
            "Pod docs-a has no site to serve: No connection to 10.0.0.1:9000.",
        ]);
    });

    it("finds the reason where the container has been started again", async () => {
        const pod = ended("a", "No connection.");
        const [status] = pod.status?.initContainerStatuses ?? [];
        assert.ok(status?.state);
        status.lastState = status.state;
        status.state = {};
        assert.equal((await reports([], [pod])).length, 1);
    });

    it("reports each reason once, whatever the number of pods and looks", async () => {
        const [first, second] = [ended("a", "No connection."), ended("b", "No connection.")];
        assert.equal((await reports([], [first, second], [first, second])).length, 1);
    });

    it("says nothing of what ended before, of success, and of containers that are not the chart's", async () => {
        const old = ended("old", "HTTP 403");
        const others = [ended("b", "", {}), ended("c", "fine", { exitCode: 0 }), ended("d", "x", { name: "other" })];
        assert.deepEqual(await reports([old], [old, ...others]), []);
    });

    it("sees nothing, and goes on, where the cluster cannot be asked", async () => {
        const lines = await reports(new Error("no kubectl"), new Error("no kubectl"), [ended("a", "No connection.")]);
        assert.equal(lines.length, 1);
    });

    it("does not go on for ever about ever new reasons", async () => {
        const looks = Array.from({ length: 10 }, (_, index) => [ended(`${index}`, `Reason ${index}.`)]);
        assert.equal((await reports([], ...looks)).length, 5);
    });
});
