import assert from "node:assert/strict";
import { waitUntil } from "../../wait-until.js";
import { projectId } from "./support/installed-service/agents-in-pods.js";
import { builderImage, loadBuilderImage } from "./support/installed-service/builder-image.js";
import { useInstalledService } from "./support/installed-service/use-installed-service.js";

/** An agent whose prompt is a script. */
const command = ["/bin/sh", "-c", "cat > prompt.sh && sh prompt.sh"];

describe("charts/static-export-service: agents as Jobs", function () {
    this.timeout(600_000);
    const service = useInstalledService(async (service, cluster) => {
        await loadBuilderImage(cluster);
        await service.upgrade({ agents: service.agentsRunning(command, { image: builderImage }) });
    });

    const start = async (prompt: string): Promise<string> =>
        (await service().admin.agentJobs.create(projectId, { prompt })).id;
    const endOf = async (id: string): Promise<{ status: string; log: string }> => {
        const { status } = await service().admin.agentJobs.pollUntilDone(projectId, id, { timeoutMs: 300_000 });
        const log = await waitUntil("the log is in the bucket", async () => {
            const text = (await service().agentLogs(id)).join("");
            return /(?:Completed|Failed): /.test(text) && text;
        });
        return { status, log };
    };

    it("pushes what an agent changed in a pod of the operator's image, without a token and the worker's files", async () => {
        const checks = "test ! -e /var/run/secrets && test ! -e /var/lib/static-export && ! echo x > /root-is-writable";
        const id = await start(`echo "The agent works."; ${checks} && echo changed > page.md`);
        const { status, log } = await endOf(id);
        assert.equal(status, "completed", log);
        assert.match(log, /^The agent works\.$/m);
        assert.equal(await service().git.git("show", `agent/${id}:page.md`), "changed\n");
    });

    it("puts what an agent that fails has changed into a git bundle in the bucket", async () => {
        const { status, log } = await endOf(await start("echo changed > page.md; exit 3"));
        assert.equal(status, "failed");
        assert.match(
            log,
            /Failed: The agent exited with code 3\.\n.*in the git bundle s3:\/\/\S+\.bundle\. To push it, /,
        );
    });

    it("fails if the agent's pod is deleted, and says so", async () => {
        const id = await start("sleep 300");
        const selector = `static-export/job=${id}`;
        await waitUntil("the agent's pod runs", async () =>
            /Init:1\/2/.test(await service().kubectl("get", "pods", "-l", selector, "--no-headers")),
        );
        await service().kubectl("delete", "pod", "-l", selector, "--wait=false");
        const { status, log } = await endOf(id);
        assert.equal(status, "failed");
        assert.match(log, /Failed: The agent was lost: /);
        await waitUntil(
            "the Job is gone",
            async () => !(await service().kubectl("get", "jobs", "-l", selector, "-o", "name")).includes("agent"),
        );
    });
});
