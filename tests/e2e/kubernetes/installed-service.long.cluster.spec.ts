import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { endOf, killWhileExporting } from "../service/support/kill-parts.js";
import { withLog } from "../service/support/with-log.js";
import { scaled } from "../../scale.js";
import { projectId } from "./support/installed-service/agents-in-pods.js";
import { domainFromGit, domains, type Part, replicas } from "./support/installed-service/installed-service.js";
import { useInstalledService } from "./support/installed-service/use-installed-service.js";
import { Visitors } from "./support/visitors.js";

/** The long form kills each part twice. */
const kills = scaled({ short: 7, long: 14 });
const order: readonly Part[] = [
    "worker container",
    "storage",
    "api container",
    "worker network",
    "worker pod",
    "postgres",
    "api pod",
];

const jobs = "/v1/static-export/jobs";

describe("charts/static-export-service, installed by helm with a database and a bucket", function () {
    this.timeout(600_000 + kills * 60_000);
    const service = useInstalledService();

    /** A spec whose failure shows the logs of the service's pods. */
    const itWithLog = (title: string, act: () => Promise<void>) => it(title, () => withLog(service(), act));

    itWithLog("runs three API pods and three workers, and has removed the migration", async () => {
        assert.equal((await service().pods.list("api")).length, replicas);
        assert.equal((await service().pods.list("worker")).length, replicas);
        assert.deepEqual(await service().pods.list("migration"), []);
    });

    for (const [domain, place] of [
        [String(domains[0]), "a volume"],
        [domainFromGit, "a repository"],
    ] as const) {
        itWithLog(`exports a site from ${place}, and returns a link to the storage`, async () => {
            const { jobId } = await service().answer("POST", jobs, { domain });
            const job = await endOf(service(), String(jobId));
            assert.deepEqual([job["status"], job["pageCount"]], ["completed", 60], JSON.stringify(job));
            const { bundleUrl, sizeBytes } = await service().answer("POST", `${jobs}/${String(jobId)}/bundle`);
            const redirect = await fetch(String(bundleUrl), { redirect: "manual" });
            assert.equal(redirect.status, 302);
            const archive = await fetch(String(redirect.headers.get("location")));
            const bytes = Buffer.from(await archive.arrayBuffer());
            assert.equal(bytes.length, sizeBytes);
            const sha256 = createHash("sha256").update(bytes).digest("hex");
            assert.ok((await service().stored()).includes(sha256), sha256);
        });
    }

    itWithLog(
        "runs an agent in its own pod, and reruns it in another one if the container of its worker is killed",
        async () => {
            const { agentJobs } = service().admin;
            const { id } = await agentJobs.create(projectId, { prompt: "Say hello." });
            await service().gate.asked();
            await service().pods.kill("agent-worker", await service().agentPodOf(id));
            service().gate.open();
            const { status, prLink } = await agentJobs.pollUntilDone(projectId, id, { timeoutMs: 120_000 });
            assert.deepEqual([status, prLink], ["completed", `https://forge.example.com/compare/agent/${id}`]);
            // The agent has found neither the worker's environment nor its files.
            assert.equal(await service().git.git("show", `agent/${id}:log.md`), "Say hello.\n");
            const logs = await service().agentLogs(id);
            assert.match(
                String(logs.at(-1)),
                /The agent works on: Say hello\.\n[^]*Pushed \w{40} to agent\/[^]*Completed: /,
            );
        },
    );

    itWithLog("accepts a key that was created in a pod, as described in the chart's notes", async () => {
        const own = ["--base-url", "http://localhost:8787", "--admin-key-file", "/etc/static-export/admin-api-key"];
        const key = (await service().inApiPod("key", "create", "ci", "--scope", "export", ...own)).trim();
        const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
        const body = JSON.stringify({ domain: domains[0] });
        const start = await fetch(service().url + jobs, { method: "POST", headers, body });
        assert.equal(start.status, 202, await start.text());
    });

    itWithLog("answers every request while it is upgraded", async () => {
        const before = await service().pods.list("api");
        const page = "/openapi.json";
        const text = await (await fetch(service().url + page)).text();
        const options = { ofEachKind: 2, pauseMs: 10 };
        const clients = new Visitors(service().url, { api: { [page]: text } }, [page], options);
        await service().upgrade({ podAnnotations: { release: "2" } });
        const { failures, answered } = await clients.leave();
        assert.deepEqual(failures, []);
        assert.ok(answered.fresh > 0 && answered.kept > 0);
        const names = (await service().pods.list("api")).map(({ metadata }) => metadata.name);
        assert.ok(
            before.every(({ metadata }) => !names.includes(metadata.name)),
            names.join(),
        );
    });

    itWithLog("allows only one API pod to be evicted at a time", async () => {
        const [one, other] = await service().pods.list("api");
        assert.equal(await service().pods.evict(one), true);
        assert.equal(await service().pods.evict(other), false);
        await service().pods.ready("api", replicas);
    });

    // Adds the logs itself.
    it(`ends every job once while parts are killed ${kills} times, and leaves no bundle without a job`, () =>
        killWhileExporting(service(), { count: kills, order, cutsConnections: "api container", hasBucket: true }));
});
