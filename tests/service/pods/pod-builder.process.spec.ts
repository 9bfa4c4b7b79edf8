import assert from "node:assert/strict";
import { type FakeKubernetes, type Job } from "./support/fake-kubernetes.js";
import { settings, withCluster } from "./support/with-cluster.js";

describe("A build as a Job of Kubernetes", function () {
    this.timeout(60_000);

    it("gets the checkout, and returns the output and the log of the builder", async () => {
        await withCluster(undefined, async (cluster, build) => {
            const command =
                'echo "token $NPM_TOKEN"; ./link; mkdir out/1.0; echo a > out/1.0/a; ln -s 1.0 out/latest; ' +
                "ln -s ../index.html out/1.0/home; ln -s /etc/passwd out/c; ln -s . out/self; test -d ../.git && echo yes > out/git";
            const { files, lines, read, error } = await build(command, { build: { environment: ["NPM_TOKEN"] } });
            assert.equal(error, "");
            const copies = ["1.0", "1.0/a", "1.0/home", "git", "index.html", "latest", "latest/a", "latest/home"];
            assert.deepEqual(files, copies);
            assert.deepEqual(
                [read("index.html"), read("latest/a"), read("latest/home")],
                ["built\n", "a\n", "built\n"],
            );
            assert.equal(read("git"), "yes\n");
            lines.sort();
            assert.equal(lines[1], "token ***");
            assert.match(lines[0] ?? "", /^Left out 2 links that lead out of the output folder, or nowhere: .*"self"/);
            assert.deepEqual(cluster.deleted, [], "Kubernetes removes Jobs that have ended");
        });
    });

    it("waits until its worker's pod has an address, which is later than its start", async () => {
        await withCluster(undefined, async (cluster, build) => {
            cluster.readsWithoutAddress = 2;
            assert.equal((await build("./run")).error, "");
        });
    });

    it("hides the passwords of the operator's proxies in its log", async () => {
        await withCluster(undefined, async (_, build) => {
            const { lines } = await build('echo "proxy $HTTPS_PROXY"; echo "password pr0xy word"; ./run');
            assert.deepEqual(lines, ["proxy http://***@proxy", "password ***"]);
        });
    });

    it("keeps the operator's settings of git, and trusts its checkout", async () => {
        await withCluster(undefined, async (_, build) => {
            const { lines } = await build("git config user.name; git config safe.directory; ./run");
            assert.deepEqual(lines.sort(), ["*", "Operator"]);
        });
    });

    it("gets dollar signs as written, which Kubernetes would replace", async () => {
        await withCluster(undefined, async (_, build) => {
            const command = `echo '$$1 $(HOME) $$(HOME)' "$PRICE"; mkdir 'a$$b'; echo a > 'a$$b/index.html'`;
            const { error, files, lines } = await build(command, {
                build: { outputFolder: "a$$b", variables: { PRICE: "5$$ $(LANG)" } },
            });
            assert.deepEqual([error, files], ["", ["index.html"]]);
            assert.deepEqual(lines, ["$$1 $(HOME) $$(HOME) 5$$ $(LANG)"]);
        });
    });

    it("is bounded and isolated by its pod", async () => {
        await withCluster(undefined, async (cluster, build) => {
            await build("./run", {
                build: { environment: ["NPM_TOKEN"], memoryMegabytes: 300, diskMegabytes: 500, image: "hugo:1" },
            });
            const job = cluster.created[0] as Job;
            const { spec } = job.spec.template;
            const [receive, builder] = spec.initContainers;
            assert.deepEqual(
                [spec["activeDeadlineSeconds"], spec["restartPolicy"], spec["automountServiceAccountToken"]],
                [30, "Never", false],
            );
            assert.equal(spec["runtimeClassName"], "gvisor");
            assert.deepEqual(builder.resources, {
                requests: { cpu: "500m", "ephemeral-storage": "256Mi" },
                limits: { memory: "300Mi", "ephemeral-storage": "1000Mi" },
            });
            // Otherwise, Kubernetes requests as much as the limit.
            assert.ok(
                [receive, spec.containers[0]].every(({ resources }) => resources.requests?.["ephemeral-storage"]),
            );
            assert.ok(spec.volumes.every(({ emptyDir }) => emptyDir.sizeLimit === "500Mi"));
            assert.deepEqual(
                [receive.image, builder.image, spec.containers[0].image],
                [settings.transferImage, "hugo:1", settings.transferImage],
            );
            assert.deepEqual(job.metadata.ownerReferences[0]?.uid, "uid-of-worker");
            assert.deepEqual([job.spec.backoffLimit, job.spec.ttlSecondsAfterFinished], [0, 300]);
            const labels = { "app.kubernetes.io/component": "builds", "static-export/job": "se_1" };
            assert.deepEqual(job.spec.template.metadata.labels, labels);
            const secret = builder.env.find(({ name }) => name === "NPM_TOKEN");
            assert.deepEqual(secret?.valueFrom, { secretKeyRef: { name: "builds", key: "npm" } });
            assert.ok(!builder.env.some(({ name }) => name === "STATIC_EXPORT_POD"), "the builder has no token");
            assert.doesNotMatch(JSON.stringify(job), /5ecret/);
        });
    });

    it("runs as another user in each pod, so that no build uses up what belongs to the user of others", async () => {
        const usersOf = async (pod: Record<string, unknown>): Promise<unknown[]> => {
            const users: unknown[] = [];
            const use = async (cluster: FakeKubernetes, build: (command: string) => Promise<unknown>) => {
                await build("./run");
                await build("./run");
                const created = cluster.created.map((job) => job.spec.template.spec["securityContext"]);
                users.push(...created.map((context) => (context as { runAsUser?: number }).runAsUser));
            };
            await withCluster(undefined, use, { settings: { ...settings, pod } });
            return users;
        };
        const given = { runAsNonRoot: true, runAsUser: 1000 };
        const [first, second] = (await usersOf({ securityContext: given })) as number[];
        assert.ok(
            [first, second].every((user = 0) => user >= 20_000 && user < 60_000),
            `${first}, ${second}`,
        );
        assert.notEqual(first, second);
        assert.deepEqual(await usersOf({ securityContext: given, hostUsers: false }), [1000, 1000]);
        assert.deepEqual(await usersOf({ securityContext: { runAsNonRoot: true } }), [undefined, undefined]);
    });

    it("may not open all files that the system allows, in any of its processes", async () => {
        await withCluster(undefined, async (_, build) => {
            const { lines } = await build('echo "files $(ulimit -n)"; ./run', { build: { install: "ulimit -n" } });
            assert.deepEqual(lines.sort(), ["8192", "files 8192"]);
        });
    });

    it("requests no more disk than it may take", async () => {
        await withCluster(undefined, async (cluster, build) => {
            await build("./run", { build: { diskMegabytes: 100 } });
            const { initContainers, containers } = (cluster.created[0] as Job).spec.template.spec;
            for (const { resources } of [...initContainers, ...containers]) {
                const { requests, limits } = resources;
                assert.deepEqual([requests?.["ephemeral-storage"], limits["ephemeral-storage"]], ["200Mi", "200Mi"]);
            }
        });
    });

    it("requests no more of the operator's resources than the site's limits", async () => {
        const main = { resources: { requests: { cpu: "500m", memory: "1Gi" }, limits: { cpu: 2 } } };
        const use = async (cluster: FakeKubernetes, build: (command: string, how: object) => Promise<unknown>) => {
            await build("./run", { build: { memoryMegabytes: 300 } });
            await build("./run", { build: { memoryMegabytes: 2000 } });
            const requests = cluster.created.map((job) => job.spec.template.spec.initContainers[1].resources.requests);
            assert.deepEqual(
                requests.map((each) => [each?.["cpu"], each?.["memory"]]),
                [
                    ["500m", "300Mi"],
                    ["500m", "1Gi"],
                ],
            );
        };
        await withCluster(undefined, use, { settings: { ...settings, main } });
    });

    it("has a user's name in its variables, as the image has none for the pod's user", async () => {
        await withCluster(undefined, async (_, build) => {
            const { lines } = await build('echo "$USER $LOGNAME ${HOME##*/}"; ./run');
            assert.deepEqual(lines, ["build build home"]);
        });
    });

    it("uses the cache of the site's last build", async () => {
        await withCluster(undefined, async (_, build) => {
            const command =
                "cat ~/.cache/a .astro/b || true; ./run; mkdir -p .astro; echo 1 > ~/.cache/a; echo 2 > .astro/b";
            assert.match((await build(command)).lines.join(), /No such file/);
            assert.deepEqual((await build(command)).lines, ["1", "2"]);
            assert.equal((await build("exit 1")).error, "The build exited with code 1.");
            assert.match((await build(command)).lines.join(), /No such file/);
        });
    });

    it("installs packages before the command", async () => {
        await withCluster(undefined, async (_, build) => {
            const { error, lines } = await build("cat installed; ./run", {
                build: { install: "echo yes > installed" },
            });
            assert.deepEqual([error, lines], ["", ["yes"]]);
            const failed = await build("./run", { build: { install: "echo no packages; exit 4" } });
            assert.equal(failed.error, "The build exited with code 4. Its log ends with: no packages");
        });
    });

    it("has a log although the first request for it fails", async () => {
        await withCluster(undefined, async (cluster, build) => {
            cluster.failedLogs = 2;
            assert.deepEqual((await build("echo page; ./run")).lines, ["page"]);
        });
    });

    it("has each line of its log once although Kubernetes ends the log too early", async () => {
        await withCluster(undefined, async (cluster, build) => {
            cluster.cutLogs = 3;
            const { lines } = await build("echo one; sleep 0.2; echo two; sleep 0.2; echo three; ./run");
            assert.deepEqual(lines, ["one", "two", "three"]);
            assert.equal(cluster.cutLogs, 0);
        });
    });

    it("has the rest of its log although Kubernetes has removed the beginning", async () => {
        await withCluster(undefined, async (cluster, build) => {
            const onLine = (line: string) => {
                if (line === "second line") {
                    cluster.rotateLogs();
                }
            };
            const { lines } = await build("echo first; sleep 0.2; echo second line; sleep 0.2; echo last; ./run", {
                onLine,
            });
            assert.deepEqual(lines, ["first", "second line", "last"]);
        });
    });

    it("has its whole log although it wrote no output", async () => {
        await withCluster(undefined, async (cluster, build) => {
            cluster.failedLogs = 2;
            const { error, lines } = await build("echo page");
            assert.match(error, /^The build wrote no folder out/);
            assert.deepEqual(lines, ["page"]);
        });
    });

    it("says why it failed, with the end of its log", async () => {
        await withCluster(undefined, async (_, build) => {
            const { error } = await build("echo no page; exit 3");
            assert.equal(error, "The build exited with code 3. Its log ends with: no page");
            assert.match((await build("true")).error, /^The build wrote no folder out in the repository/);
            const large = await build("mkdir out; truncate -s 3M out/a", { build: { diskMegabytes: 2 } });
            assert.match(large.error, /more than 2 MB of files: raise build\.diskMegabytes/);
        });
    });

    it("names no limit of processes, because its pod has none of the site's", async () => {
        await withCluster(undefined, async (_, build) => {
            const { error } = await build('echo "sh: fork: Resource temporarily unavailable"; exit 254');
            assert.match(error, /^The build exited with code 254\. Its log ends with: sh: fork/);
        });
    });

    it("is deleted if its job is cancelled", async () => {
        await withCluster(undefined, async (cluster, build) => {
            const stop = new AbortController();
            const onLine = () => stop.abort(new Error("cancelled"));
            const { error } = await build("echo started; sleep 30", { signal: stop.signal, onLine });
            assert.equal(error, "cancelled");
            assert.deepEqual(
                cluster.deleted,
                cluster.created.map(({ metadata }) => metadata.name),
            );
            assert.equal(cluster.pods.size, 0);
        });
    });

    it("may name only variables that the operator gives", async () => {
        await withCluster(undefined, async (cluster, build) => {
            const { error } = await build("./run", { build: { environment: ["DATABASE_URL"] } });
            assert.match(
                error,
                /^The build needs the environment variable DATABASE_URL, which the operator has not given/,
            );
            assert.equal(cluster.created.length, 0);
        });
    });
});
