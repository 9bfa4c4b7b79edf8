import assert from "node:assert/strict";
import { waitUntil } from "../../wait-until.js";
import { type FakeKubernetes, type Fate, type Job } from "./support/fake-kubernetes.js";
import { withAgents } from "./support/with-agents.js";

const showing =
    (status: Record<string, unknown>): Fate =>
    (job, cluster) =>
        cluster.setStatus(job, status);

/** A log holds back the last characters, which could be the start of a secret. */
const slow = "echo started and waiting for a while; sleep 30";

describe("An agent as a Job of Kubernetes", function () {
    this.timeout(60_000);

    it("gets its prompt and the checkout with its history; the worker pushes what it changed", async () => {
        const script =
            'echo "the log, $MODEL_API_KEY"; cat > new/prompt || { mkdir new; cat > new/prompt; }; ' +
            "git log --format=%s > history; ln -s index.md link; ln -s /etc/passwd far; ln -s new folder; " +
            "echo 'echo 1' > run; chmod 755 run; mkdir -p node_modules; echo skipped > node_modules/a; " +
            "echo node_modules > .gitignore; git -c user.name=a -c user.email=b@c commit -qam Mine; touch $HOME/h";
        await withAgents(script, async ({ remote, create, ended, cluster }) => {
            const id = await create("Write a page.");
            const { status, log } = await ended(id);
            assert.equal(status, "completed", log);
            assert.match(log, /^the log, \*\*\*$/m);
            assert.match(log, /Pushed \w+ to agent\/aj_/);
            const branch = `agent/${id}`;
            const tree = await remote.git("ls-tree", "-r", "--format=%(objectmode) %(path)", branch);
            assert.deepEqual(tree.split("\n"), [
                "100644 .gitignore",
                "120000 far",
                "120000 folder",
                "100644 history",
                "100644 index.md",
                "120000 link",
                "100644 new/prompt",
                "100755 run",
            ]);
            assert.equal(await remote.fileOn(branch, "new/prompt"), "Write a page.");
            assert.equal(await remote.fileOn(branch, "history"), "First");
            assert.equal(await remote.fileOn(branch, "far"), "/etc/passwd");
            assert.equal(await remote.commitsOn(branch), 1);
            assert.deepEqual(cluster.deleted, [], "Kubernetes removes Jobs that have ended");
        });
    });

    it("sends back nothing that .gitignore names, except for files of the repository", async () => {
        // The ignored files alone exceed what the agent's pod may send.
        const script =
            "mkdir -p node_modules/a site/cache; echo 'node_modules\ncache\n*.md' > .gitignore; " +
            "echo Changed > index.md; " +
            "dd if=/dev/zero of=node_modules/a/large bs=1M count=3; dd if=/dev/zero of=site/cache/b bs=1M count=3; " +
            "git add --force node_modules; echo kept > site/page; " +
            "printf '[core]\n\tfsmonitor = false\n' >> .git/config";
        const use: Parameters<typeof withAgents>[1] = async ({ remote, create, ended }) => {
            const id = await create("Install.");
            const { status, log } = await ended(id);
            assert.equal(status, "completed", log);
            const branch = `agent/${id}`;
            const tree = await remote.git("ls-tree", "-r", "--name-only", branch);
            assert.deepEqual(tree.split("\n"), [".gitignore", "index.md", "site/page"]);
            assert.equal(await remote.fileOn(branch, "index.md"), "Changed");
        };
        await withAgents(script, use, { maxDiskBytes: 2 ** 20 });
    });

    it("fails with the name of a file that is not valid UTF-8", async function () {
        if (process.platform !== "linux") {
            this.skip();
        }
        const script = String.raw`touch "$(printf 'caf\351')"`;
        await withAgents(script, async ({ create, ended }) => {
            const { status, log } = await ended(await create("Write a page."));
            assert.equal(status, "failed");
            assert.match(log, /The name of "caf\uFFFD" is not valid UTF-8: rename the file\./);
        });
    });

    it("continues on its branch after a message", async () => {
        await withAgents("cat >> index.md", async ({ remote, create, message, ended }) => {
            const id = await create("One.\n");
            assert.equal((await ended(id)).status, "completed");
            await message(id, "Two.\n");
            const { status, log } = await ended(id);
            assert.equal(status, "completed", log);
            assert.equal(await remote.fileOn(`agent/${id}`, "index.md"), "# Welcome\nOne.\nTwo.");
        });
    });

    it("is bounded and isolated by its pod, which has no credentials of the worker", async () => {
        const options = { timeLimitSeconds: 30, maxDiskBytes: 500 * 2 ** 20 };
        const use: Parameters<typeof withAgents>[1] = async ({ create, ended, cluster }) => {
            const id = await create("s3cret prompt");
            await ended(id);
            const job = cluster.created[0] as Job;
            const { spec } = job.spec.template;
            const [receive, agent] = spec.initContainers;
            assert.deepEqual(
                [spec["activeDeadlineSeconds"], spec["restartPolicy"], spec["automountServiceAccountToken"]],
                [330, "Never", false],
            );
            assert.equal(spec["runtimeClassName"], "gvisor");
            assert.deepEqual(agent.resources, {
                requests: { cpu: "500m", "ephemeral-storage": "256Mi" },
                limits: { memory: "4Gi", "ephemeral-storage": "1000Mi" },
            });
            assert.ok(spec.volumes.every(({ emptyDir }) => emptyDir.sizeLimit === "500Mi"));
            assert.deepEqual(
                [receive.image, agent.image, agent.name],
                ["registry.example.com/static-export:1", "registry.example.com/agents:1", "agent"],
            );
            assert.match(job.metadata.name, /^agent-aj-/);
            assert.equal(job.metadata.ownerReferences[0]?.uid, "uid-of-worker");
            assert.deepEqual([job.spec.backoffLimit, job.spec.ttlSecondsAfterFinished], [0, 300]);
            const labels = { "app.kubernetes.io/component": "agents", "static-export/job": id };
            assert.deepEqual(job.spec.template.metadata.labels, labels);
            const secret = agent.env.find(({ name }) => name === "MODEL_API_KEY");
            assert.deepEqual(secret?.valueFrom, { secretKeyRef: { name: "agents", key: "model" } });
            assert.ok(!agent.env.some(({ name }) => name === "STATIC_EXPORT_POD"), "the agent has no token");
            assert.doesNotMatch(JSON.stringify(job), /5ecret|s3cret/);
        };
        await withAgents("true", use, options);
    });

    it("changes nothing outside of its checkout, and no other repository", async () => {
        const script = "mkdir -p ../received a; echo 1 > ../received/b; git init -q a; echo 2 > a/b; cd a; git add b";
        const commit = "git -c user.name=a -c user.email=b@c commit -qm Nested";
        await withAgents(`${script}; ${commit}`, async ({ create, ended, remote }) => {
            const { status, log } = await ended(await create("Nest."));
            assert.equal(status, "completed");
            assert.match(log, /a\/ is another git repository: the commit does not contain it\./);
            assert.deepEqual(await remote.branches(), []);
        });
        await withAgents("cd ..; mv checkout old; ln -s old checkout", async ({ create, ended }) => {
            const { log } = await ended(await create("Replace."));
            assert.match(log, /Failed: The agent replaced the folder of its checkout, so nothing was committed\./);
        });
    });

    it("is deleted if its job is archived", async () => {
        await withAgents(slow, async ({ create, logOf, archive, cluster }) => {
            const id = await create("Wait.");
            await waitUntil("the agent runs", async () => /^started/m.test(await logOf(id)));
            await archive(id);
            assert.deepEqual(
                cluster.deleted,
                cluster.created.map(({ metadata }) => metadata.name),
            );
            assert.match(await logOf(id), /The agent was stopped\./);
        });
    });

    it("runs again in another Job if its worker was stopped, and none is left", async () => {
        const running = { initContainerStatuses: [{ name: "agent", state: { running: {} } }] };
        const fate: Fate = async (job, cluster) => {
            if (cluster.created.length === 1) {
                cluster.setStatus(job, { phase: "Pending", ...running });
            } else {
                await cluster.runPod(job);
            }
        };
        const use: Parameters<typeof withAgents>[1] = async ({ create, ended, restart, cluster }) => {
            const id = await create("Go.");
            const first = await waitUntil("the agent runs", () => cluster.created[0]);
            // A worker that was killed deletes no Job: its next container does.
            const killed = { ...first, metadata: { ...first.metadata, name: "agent-of-killed-worker" } };
            cluster.jobs.set(killed.metadata.name, killed);
            await restart();
            const { status, log } = await ended(id);
            assert.equal(status, "completed", log);
            assert.deepEqual(cluster.deleted, [first.metadata.name, "agent-of-killed-worker"]);
        };
        await withAgents("true", use, { fate });
    });

    for (const [what, status, reason] of [
        [
            "exited with an error",
            { initContainerStatuses: [{ name: "agent", state: { terminated: { exitCode: 3, reason: "Error" } } }] },
            /Failed: The agent exited with code 3\./,
        ],
        [
            "took too much memory",
            {
                initContainerStatuses: [
                    { name: "agent", state: { terminated: { exitCode: 137, reason: "OOMKilled" } } },
                ],
            },
            /Failed: The agent used more than 4Gi of memory\./,
        ],
        [
            "took too long",
            {
                reason: "DeadlineExceeded",
                initContainerStatuses: [{ name: "agent", state: { terminated: { exitCode: 137 } } }],
            },
            /Failed: The agent did not end within 2100 s\./,
        ],
        [
            "took too much disk",
            { reason: "Evicted", message: 'Usage of EmptyDir volume "work" exceeds the limit "2Gi". ' },
            /Failed: The agent used more than its limit of disk: Usage of EmptyDir volume/,
        ],
        [
            "has an image that cannot be pulled",
            {
                initContainerStatuses: [
                    { name: "agent", state: { waiting: { reason: "ErrImagePull", message: "not found" } } },
                ],
            },
            /Failed: The agent's pod cannot start with image registry\.example\.com\/agents:1: ErrImagePull: not found/,
        ],
    ] as const) {
        it(`fails with the reason if it ${what}`, async () => {
            const use: Parameters<typeof withAgents>[1] = async ({ create, ended }) => {
                const { status: end, log } = await ended(await create("Fail."));
                assert.equal(end, "failed");
                assert.match(log, reason);
            };
            await withAgents("true", use, { fate: showing(status) });
        });
    }

    it("fails if its pod is lost, and does not start again", async () => {
        const fate = async (job: Job, cluster: FakeKubernetes) => {
            cluster.setStatus(job, { phase: "Pending" });
            await waitUntil("the worker has seen the pod", () => cluster.reads(job) > 2);
            cluster.pods.delete(job.metadata.name);
        };
        const use: Parameters<typeof withAgents>[1] = async ({ create, ended, cluster }) => {
            const { status, log } = await ended(await create("Fail."));
            assert.equal(status, "failed");
            assert.match(log, /Failed: The agent was lost: The agent's pod was deleted\./);
            assert.equal(cluster.created.length, 1);
        };
        await withAgents("true", use, { fate });
    });

    it("waits while a quota is full, but not forever", async () => {
        const message = 'jobs.batch "agent-1" is forbidden: exceeded quota: agents, requested: count/jobs.batch=1';
        const use: Parameters<typeof withAgents>[1] = async ({ create, ended, cluster }) => {
            cluster.refusals.push(...Array.from({ length: 200 }, () => ({ status: 403, message })));
            const { log } = await ended(await create("Wait."));
            assert.match(log, /The agent waits for Kubernetes: jobs\.batch/);
            assert.match(log, /Failed: No pod was free for the agent within 0 s: .*exceeded quota/);
        };
        await withAgents("true", use, { maxWaitMs: 400 });
    });
});
