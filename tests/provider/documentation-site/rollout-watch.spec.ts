import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { mock } from "node:test";
import {
    type ClusterAccess,
    listPodsWithKubectl,
    type Pod,
    watchRollout,
} from "../../../provider/src/documentation-site/rollout-watch.js";

const ended = (containerID: string, message: string, { exitCode = 1, name = "fetch-bundle" } = {}): Pod => ({
    metadata: { name: `docs-${containerID}` },
    status: { initContainerStatuses: [{ name, state: { terminated: { containerID, exitCode, message } } }] },
});

/** Returns the reports for a cluster that has these pods at successive polls. */
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

describe("the rollout watch", () => {
    it("reports why a pod has no site", async () => {
        assert.deepEqual(await reports([], [ended("a", "No connection to 10.0.0.1:9000.\n")]), [
            "Pod docs-a has no site to serve: No connection to 10.0.0.1:9000.",
        ]);
    });

    it("finds the reason even after the container was restarted", async () => {
        const pod = ended("a", "No connection.");
        const [status] = pod.status?.initContainerStatuses ?? [];
        assert.ok(status?.state);
        status.lastState = status.state;
        status.state = {};
        assert.equal((await reports([], [pod])).length, 1);
    });

    it("reports each reason once, regardless of the number of pods and polls", async () => {
        const [first, second] = [ended("a", "No connection."), ended("b", "No connection.")];
        assert.equal((await reports([], [first, second], [first, second])).length, 1);
    });

    it("ignores earlier failures, successful containers, and containers of other charts", async () => {
        const old = ended("old", "HTTP 403");
        const others = [ended("b", "", {}), ended("c", "fine", { exitCode: 0 }), ended("d", "x", { name: "other" })];
        assert.deepEqual(await reports([old], [old, ...others]), []);
    });

    it("keeps polling if the cluster cannot be reached", async () => {
        const lines = await reports(new Error("no kubectl"), new Error("no kubectl"), [ended("a", "No connection.")]);
        assert.equal(lines.length, 1);
    });

    it("ends at once when its rollout has ended, without waiting for its next poll", async () => {
        const ending = new AbortController();
        // The poll's timer never ends.
        mock.timers.enable({ apis: ["setTimeout"] });
        try {
            await watchRollout({
                listPods: () => {
                    setImmediate(() => ending.abort());
                    return Promise.resolve([]);
                },
                report: assert.fail,
                signal: ending.signal,
            });
        } finally {
            mock.timers.reset();
        }
    });

    it("reports only a limited number of new reasons", async () => {
        const looks = Array.from({ length: 10 }, (_, index) => [ended(`${index}`, `Reason ${index}.`)]);
        assert.equal((await reports([], ...looks)).length, 5);
    });
});

describe("the kubectl command that lists a release's pods", () => {
    const { PATH, TMPDIR } = process.env;
    const pods = { items: [{ metadata: { name: "docs-1" } }] };
    let folder: string;
    let scratch: string;

    /** Replaces kubectl: records its arguments, and the kubeconfig with its mode. */
    const recorder = `#!/bin/sh
        printf '%s\\n' "$*" > "$RECORD/arguments"
        while [ "$1" != --kubeconfig ] && [ $# -gt 0 ]; do shift; done
        if [ $# -gt 0 ]; then cat "$2" > "$RECORD/kubeconfig"; ls -l "$2" | cut -c 1-10 > "$RECORD/mode"; fi
        [ ! -e "$RECORD/fails" ] || exit 1
        printf '%s' '${JSON.stringify(pods)}'`;

    before(function () {
        if (process.platform === "win32") {
            this.skip();
        }
    });
    beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), "static-export-spec-"));
        scratch = join(folder, "tmp");
        await mkdir(scratch);
        await writeFile(join(folder, "kubectl"), recorder);
        await chmod(join(folder, "kubectl"), 0o755);
        Object.assign(process.env, { PATH: [folder, PATH].join(delimiter), TMPDIR: scratch, RECORD: folder });
    });
    afterEach(async () => {
        delete process.env.RECORD;
        Object.assign(process.env, { PATH, TMPDIR });
        if (TMPDIR === undefined) {
            delete process.env.TMPDIR;
        }
        await rm(folder, { recursive: true });
    });

    const list = (access: ClusterAccess) => listPodsWithKubectl("site", "docs", access)(new AbortController().signal);
    const recorded = (file: string) => readFile(join(folder, file), "utf8");

    it("reads an inline kubeconfig from a private file that is removed afterwards", async () => {
        const content = '{ "apiVersion": "v1", "users": [{ "name": "admin", "token": "s3cr3t" }] }';
        assert.deepEqual(await list({ kubeconfig: content }), pods.items);
        assert.equal(await recorded("kubeconfig"), content);
        assert.equal(await recorded("mode"), "-rw-------\n");
        assert.doesNotMatch(await recorded("arguments"), /s3cr3t/);
        assert.deepEqual(await readdir(scratch), []);
        await writeFile(join(folder, "fails"), "");
        await assert.rejects(list({ kubeconfig: content }));
        assert.deepEqual(await readdir(scratch), []);
    });

    it("receives the configured kubeconfig path and context, and neither by default", async () => {
        const request = "get pods --namespace site --selector app.kubernetes.io/instance=docs";
        const file = join(folder, "config");
        await writeFile(file, "apiVersion: v1\n");
        await list({ kubeconfig: file, context: "prod" });
        assert.match(await recorded("arguments"), new RegExp(`^--kubeconfig ${file} --context prod ${request}`));
        await list({});
        assert.equal(await recorded("arguments"), `${request} --output json --request-timeout 5s\n`);
    });
});
