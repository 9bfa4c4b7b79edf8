import assert from "node:assert/strict";
import { type ClientRequest, request } from "node:http";
import { type PodStepSettings, podStepVariable } from "../../../service/src/pods/pod-step.js";
import { waitUntil } from "../../wait-until.js";
import { type FakeKubernetes, type Fate, type Job } from "./support/fake-kubernetes.js";
import { withCluster } from "./support/with-cluster.js";

/** A fate that shows one status of the pod. */
const showing =
    (status: Record<string, unknown>, metadata?: object): Fate =>
    (job, cluster) =>
        cluster.setStatus(job, status, metadata);
const waiting = (reason: string, message: string) => ({
    phase: "Pending",
    initContainerStatuses: [{ name: "build", state: { waiting: { reason, message } } }],
});

/** The request with which the last container of a pod sends the site. */
function sendSite(job: Job): ClientRequest {
    const { url, token } = JSON.parse(
        job.spec.template.spec.containers[0].env.find(({ name }) => name === podStepVariable)?.value ?? "",
    ) as PodStepSettings;
    const sent = request(url, { method: "POST", agent: false, headers: { authorization: `Bearer ${token}` } });
    return sent.on("error", () => undefined);
}

/** The longest wait for a pod, in specs in which no pod comes. */
const shortMs = 400;

describe("A build whose pod fails", function () {
    this.timeout(60_000);

    for (const [what, status, expected] of [
        [
            "took too much memory",
            {
                initContainerStatuses: [
                    { name: "build", state: { terminated: { exitCode: 137, reason: "OOMKilled" } } },
                ],
            },
            /^The build used more than 2048 MB of memory\./,
        ],
        [
            "took too much disk",
            { reason: "Evicted", message: 'Usage of EmptyDir volume "work" exceeds the limit "4Gi". ' },
            /^The build used more than its limit of disk: Usage of .* exceeds the limit "4Gi"\. Raise build\.diskMegabytes in the sites file\.$/,
        ],
        [
            "wrote too much outside of its folders",
            {
                reason: "Evicted",
                message: "Pod ephemeral local storage usage exceeds the total limit of containers 8Gi. ",
            },
            /^The build used more than its limit of disk: Pod ephemeral local storage usage exceeds the total limit/,
        ],
        [
            "took too long",
            {
                reason: "DeadlineExceeded",
                initContainerStatuses: [{ name: "build", state: { terminated: { exitCode: 137, reason: "Error" } } }],
            },
            /^The build did not end within 30 s\. Raise build\.timeoutSeconds in the sites file\.$/,
        ],
        [
            "waited too long for a volume",
            { reason: "DeadlineExceeded", initContainerStatuses: [{ name: "build", state: { waiting: {} } }] },
            /^The build did not begin within 30 s: the events of its pod give the reason, such as a missing volume\.$/,
        ],
        [
            "has an image without a shell",
            {
                initContainerStatuses: [
                    {
                        name: "build",
                        state: {
                            terminated: { exitCode: 128, reason: "StartError", message: "exec: /bin/sh: not found" },
                        },
                    },
                ],
            },
            /^The build cannot be started: exec: \/bin\/sh: not found\./,
        ],
    ] as const) {
        it(`names the limit if it ${what}`, async () => {
            await withCluster(showing({ phase: "Failed", ...status }), async (_, build) => {
                assert.match((await build("./run")).error, expected);
            });
        });
    }

    it("fails soon if its image cannot be pulled", async () => {
        const status = waiting("ImagePullBackOff", 'Back-off pulling image "hugo:0"');
        await withCluster(showing(status), async (cluster, build) => {
            const { error } = await build("./run", { build: { image: "hugo:0" } });
            assert.match(error, /^The build's pod cannot start with image hugo:0: ImagePullBackOff: Back-off/);
            assert.equal(cluster.deleted.length, 1);
        });
    });

    it("waits for a node, but not forever", async () => {
        const unscheduled = {
            phase: "Pending",
            conditions: [
                { type: "PodScheduled", status: "False", message: "0/3 nodes are available: 3 Insufficient cpu." },
            ],
        };
        const use: Parameters<typeof withCluster>[1] = async (cluster, build) => {
            const { error } = await build("./run");
            assert.match(error, /^No pod was free for the build within 0 s: 0\/3 nodes are available/);
            assert.equal(cluster.deleted.length, 1);
        };
        await withCluster(showing(unscheduled), use, { maxWaitMs: shortMs });
    });

    it("waits longer for the image of a pod that has a node", async () => {
        const fate: Fate = async (job, cluster) => {
            const sinceMs = performance.now();
            cluster.setStatus(job, {
                ...waiting("PodInitializing", ""),
                conditions: [{ type: "PodScheduled", status: "True" }],
            });
            await waitUntil("the wait for a node is over", () => performance.now() - sinceMs > 2 * shortMs);
            await cluster.runPod(job);
        };
        const use: Parameters<typeof withCluster>[1] = async (_, build) => {
            const { error, files } = await build("./run");
            assert.deepEqual([error, files], ["", ["index.html"]]);
        };
        await withCluster(fate, use, { maxWaitMs: shortMs });
    });

    it("fails if the kubelet of its node does not end it in time", async () => {
        const status = { phase: "Pending", conditions: [{ type: "PodScheduled", status: "True" }] };
        await withCluster(showing(status), async (_, build) => {
            const { error } = await build("./run", { build: { timeoutSeconds: 1 } });
            assert.match(error, /^The build did not end within 1 s\. Raise build\.timeoutSeconds in the sites file\.$/);
        });
    });

    it("waits while a quota is full, and says so", async () => {
        const message = 'jobs.batch "build-1" is forbidden: exceeded quota: builds, requested: count/jobs.batch=1';
        await withCluster(undefined, async (cluster, build) => {
            cluster.refusals.push({ status: 403, message }, { status: 403, message });
            const { files, lines } = await build("./run");
            assert.deepEqual(files, ["index.html"]);
            assert.deepEqual(lines, [`The build waits for Kubernetes: ${message}`]);
        });
        const use: Parameters<typeof withCluster>[1] = async (cluster, build) => {
            cluster.refusals.push(...Array.from({ length: 200 }, () => ({ status: 403, message })));
            assert.match((await build("./run")).error, /^No pod was free for the build within 0 s: .*exceeded quota/);
        };
        await withCluster(undefined, use, { maxWaitMs: shortMs });
    });

    it("is created again if two Jobs change a quota at the same time", async () => {
        const message = 'Operation cannot be fulfilled on resourcequotas "builds": the object has been modified';
        await withCluster(undefined, async (cluster, build) => {
            cluster.refusals.push({ status: 409, message });
            assert.deepEqual((await build("./run")).files, ["index.html"]);
        });
    });

    it("fails if Kubernetes creates no pod, or refuses the Job", async () => {
        await withCluster(
            () => undefined,
            async (cluster, build) => {
                assert.match(
                    (await build("./run")).error,
                    /Kubernetes has not created a pod\. The events of Job build-se-1-/,
                );
                cluster.refusals.push({
                    status: 422,
                    message: "Invalid value: must be less than or equal to memory limit",
                });
                assert.match((await build("./run")).error, /^Kubernetes refuses the Job of the build: Invalid value/);
            },
            { maxWaitMs: shortMs },
        );
    });

    it("fails if Kubernetes answers no more", async () => {
        const fate: Fate = (_, cluster) => {
            cluster.isDown = true;
        };
        const use: Parameters<typeof withCluster>[1] = async (_, build) => {
            const { error } = await build("./run", { build: { timeoutSeconds: 1 } });
            assert.equal(error, "The build did not end within 2 s, and Kubernetes does not answer: status 502");
        };
        await withCluster(fate, use, { maxWaitMs: shortMs });
    });

    it("has its own exit code although its pod is deleted soon", async () => {
        const deleted = { deletionTimestamp: "2026-11-27T00:00:00Z" };
        const ended = (exitCode: number) => ({
            phase: "Failed",
            initContainerStatuses: [{ name: "build", state: { terminated: { exitCode, reason: "Error" } } }],
        });
        await withCluster(showing(ended(3), deleted), async (_, build) => {
            assert.equal((await build("./run")).error, "The build exited with code 3.");
        });
        // The signal of the deletion.
        await withCluster(showing(ended(137), deleted), async (_, build) => {
            assert.match((await build("./run")).error, /^The build was lost 3 times/);
        });
    });

    it("names the pod's reason although the connection to it ends first", async () => {
        const fate: Fate = async (job, cluster) => {
            const sent = sendSite(job);
            sent.write('{"file":"a","size":5}\nhalf');
            cluster.setStatus(job, { phase: "Running" });
            await waitUntil("the worker has asked", () => cluster.reads(job) > 2);
            sent.destroy();
            const message = 'Container build exceeded its local ephemeral storage limit "8Gi". ';
            cluster.setStatus(job, { phase: "Failed", reason: "Evicted", message });
        };
        await withCluster(fate, async (cluster, build) => {
            const { error } = await build("./run");
            assert.match(
                error,
                /^The build used more than its limit of disk: Container build exceeded .* limit "8Gi"\. Raise /,
            );
            assert.equal(cluster.created.length, 1);
        });
    });

    it("starts again although the lost pod still sends files", async () => {
        let first: ClientRequest | undefined;
        const fate: Fate = async (job, cluster) => {
            if (first === undefined) {
                first = sendSite(job);
                first.write('{"file":"old/a","size":1}\na{"file":"old/b","size":5}\n');
                await waitUntil("the worker has asked", () => cluster.reads(job) > 2);
                cluster.setStatus(job, { phase: "Running" }, { deletionTimestamp: "2026-11-27T00:00:00Z" });
                return;
            }
            first.write('later{"file":"old/c","size":1}\nc');
            await cluster.runPod(job);
        };
        try {
            await withCluster(fate, async (_, build) => {
                const { error, files } = await build("./run");
                assert.deepEqual([error, files], ["", ["index.html"]]);
            });
        } finally {
            first?.destroy();
        }
    });

    for (const [what, lose] of [
        ["pod was deleted", (job: Job, cluster: FakeKubernetes) => void cluster.pods.delete(job.metadata.name)],
        [
            "node had no memory left, so that its command was killed",
            (job: Job, cluster: FakeKubernetes) =>
                cluster.setStatus(job, {
                    phase: "Failed",
                    reason: "Evicted",
                    message: "The node was low on resource: memory. ",
                    initContainerStatuses: [
                        { name: "build", state: { terminated: { exitCode: 137, reason: "Error" } } },
                    ],
                }),
        ],
        [
            "node has restarted while its command ran",
            (job: Job, cluster: FakeKubernetes) =>
                cluster.setStatus(job, {
                    phase: "Failed",
                    initContainerStatuses: [
                        { name: "build", state: { terminated: { exitCode: 255, reason: "Unknown" } } },
                    ],
                }),
        ],
        [
            "kubelet no longer found the container that sends its output",
            (job: Job, cluster: FakeKubernetes) =>
                cluster.setStatus(job, {
                    phase: "Failed",
                    initContainerStatuses: [{ name: "build", state: { terminated: { exitCode: 0 } } }],
                    containerStatuses: [
                        { name: "send", state: { terminated: { exitCode: 137, reason: "ContainerStatusUnknown" } } },
                    ],
                }),
        ],
        [
            "node was lost",
            (job: Job, cluster: FakeKubernetes) =>
                cluster.setStatus(
                    job,
                    {
                        phase: "Running",
                        conditions: [{ type: "DisruptionTarget", status: "True", message: "node lost" }],
                    },
                    { deletionTimestamp: "2026-11-27T00:00:00Z" },
                ),
        ],
    ] as const) {
        it(`starts again if its ${what}, and gives up after the third time`, async () => {
            let left = 1;
            const fate: Fate = async (job, cluster) => {
                if (left > 0) {
                    left -= 1;
                    cluster.setStatus(job, { phase: "Pending" });
                    await waitUntil("the worker has seen the pod", () => cluster.reads(job) > 2);
                    lose(job, cluster);
                    return;
                }
                await cluster.runPod(job);
            };
            await withCluster(fate, async (cluster, build) => {
                const { error, files, lines } = await build("./run");
                assert.deepEqual([error, files], ["", ["index.html"]]);
                assert.match(lines.join(), /: the build starts again\.$/);
                assert.equal(cluster.created.length, 2);
                left = 10;
                assert.match((await build("./run")).error, /^The build was lost 3 times: /);
            });
        });
    }
});
