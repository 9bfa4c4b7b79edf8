import assert from "node:assert/strict";
import { waitUntil } from "../../wait-until.js";
import { endOf } from "../service/support/kill-parts.js";
import { builderImage, loadBuilderImage } from "./support/installed-service/builder-image.js";
import { useInstalledService } from "./support/installed-service/use-installed-service.js";

const write = "mkdir out && echo '<!doctype html><title>Docs</title><p>Built.</p>' > out/index.html";
/** The command and the limits of each site. */
const builds: Readonly<Record<string, object>> = {
    plain: { command: write },
    slow: { command: `sleep 8; ${write}` },
    memory: { command: "dd if=/dev/zero of=/dev/null bs=300M count=1", memoryMegabytes: 64 },
    disk: { command: `dd if=/dev/zero of=large bs=1M count=300; sleep 300; ${write}`, diskMegabytes: 64 },
    kernel: { command: `! echo x > /proc/sys/kernel/core_pattern && ! test -e /var/run/secrets && ${write}` },
    endless: { command: "sleep 600", timeoutSeconds: 10 },
    missing: { command: write, image: "static-export.local/missing:1" },
};
const domainOf = (name: string) => `${name}.example.com`;
const jobs = "/v1/static-export/jobs";

describe("charts/static-export-service: builds as Jobs", function () {
    this.timeout(600_000);
    const service = useInstalledService(async (service, cluster) => {
        await loadBuilderImage(cluster);
        const source = `git+${service.git.url}#main`;
        const site = (build: object) => ({ source, build: { outputFolder: "out", ...build } });
        await service.upgrade({
            sites: Object.fromEntries(Object.entries(builds).map(([name, build]) => [domainOf(name), site(build)])),
            builds: { enabled: true, image: builderImage, resources: { requests: { cpu: "50m", memory: "32Mi" } } },
            extraEnv: [],
        });
    });

    const start = async (name: string): Promise<string> =>
        String((await service().answer("POST", jobs, { domain: domainOf(name) }))["jobId"]);
    const outcomeOf = async (jobId: string): Promise<string> => {
        const job = await endOf(service(), jobId);
        return job["status"] === "completed" ? "completed" : JSON.stringify(job["error"]);
    };
    const endOfBuild = async (name: string): Promise<string> => outcomeOf(await start(name));
    const podOfBuild = () =>
        waitUntil("a build runs", async () => {
            const pods = JSON.parse(
                await service().kubectl("get", "pods", "-l", "static-export/job", "-o", "json"),
            ) as {
                items: {
                    metadata: { name: string; deletionTimestamp?: string; labels: Record<string, string> };
                    status: { initContainerStatuses?: { name: string; state: { running?: object } }[] };
                }[];
            };
            return pods.items.find(
                ({ metadata, status }) =>
                    metadata.deletionTimestamp === undefined &&
                    status.initContainerStatuses?.some(({ name, state }) => name === "build" && state.running),
            );
        });

    it("builds a site with the operator's image", async () => {
        assert.equal(await endOfBuild("plain"), "completed");
    });

    it("gives a build neither the kernel's settings nor a token", async () => {
        assert.equal(await endOfBuild("kernel"), "completed");
    });

    for (const [name, reason] of [
        // containerd may report the exit of a container before its lack of memory.
        ["memory", /used more than 64 MB of memory|code 137\. It may need more memory than 64 MB: raise/],
        ["disk", /used more than its limit of disk/],
        ["endless", /did not end within 10 s/],
        ["missing", /cannot start with image static-export\.local\/missing:1: ErrImage/],
    ] as const) {
        it(`ends the job of a build with a reason: ${name}`, async () => {
            assert.match(await endOfBuild(name), reason);
        });
    }

    it("starts a build again whose worker was lost, and leaves no Job behind", async () => {
        const jobId = await start("slow");
        const { metadata } = await podOfBuild();
        const job = String(metadata.labels["batch.kubernetes.io/job-name"]);
        const owner = await service().kubectl("get", "job", job, "-o", "jsonpath={.metadata.ownerReferences[0].name}");
        await service().kubectl("delete", "pod", owner, "--force", "--grace-period=0");
        assert.equal(await outcomeOf(jobId), "completed");
        await waitUntil(
            "the Job is gone",
            async () => !(await service().kubectl("get", "jobs", "-o", "name")).includes(job),
        );
    });
});
