import { builderFile } from "@pulumi-static-export/exporter";
import assert from "node:assert/strict";
import { realpath } from "node:fs/promises";
import { LostCommitError } from "../../../service/src/exports/site-checkouts.js";
import { GitError } from "../../../service/src/git/git.js";
import { domain } from "../support/running-service.js";
import {
    completed,
    failed,
    preview,
    previewed,
    publish,
    repository,
    siteBuild,
    update,
    withRepository,
} from "./support/repository-site.js";

describe("An export of a repository", () => {
    it("exports the newest commit of the branch until an update has published one, and then that one", async () => {
        await withRepository(async (site, queue) => {
            const { jobId } = await queue.store.create({ domain });
            assert.equal((await completed(queue, jobId)).sourceRef, "c1");
            assert.deepEqual(site.asked, [{ branch: "main", commit: undefined, historyCommits: undefined }]);
            const { prebuilt, excludedDirs } = queue.exporter.begun[0]!.request;
            assert.deepEqual([prebuilt, excludedDirs], [undefined, []]);
            assert.deepEqual((await queue.logOf(jobId)).slice(1, 4), [
                `Checks out ${repository.url}.`,
                "Builds commit c1.",
                "Exports the pages.",
            ]);
            assert.ok(queue.infos.includes(`Export job ${jobId} of ${domain} exports commit c1 of ${repository.url}.`));
        });
        await withRepository(async (site, queue) => {
            await publish(queue, "c0");
            const { jobId } = await queue.store.create({ domain });
            const job = await completed(queue, jobId);
            assert.deepEqual([job.sourceRef, job.commitDetails], ["c0", null]);
            assert.deepEqual(site.asked, [{ branch: "main", commit: "c0", historyCommits: undefined }]);
        });
    });

    it("exports the same commit each time it runs", async () => {
        await withRepository(async (site, queue) => {
            await publish(queue, "c0");
            const { jobId } = await queue.store.create({ domain });
            const run = (await queue.attempts.claim())!;
            await queue.attempts.recordSource(run, "c5", { author: "Ada", message: "Earlier" });
            await queue.attempts.putBack(run);
            const job = await completed(queue, jobId);
            assert.deepEqual([job.sourceRef, job.commitDetails?.author], ["c5", "Ada"]);
            assert.deepEqual(site.asked, [{ branch: "main", commit: "c5", historyCommits: undefined }]);
        });
    });

    it("checks out the branch that it previews", async () => {
        await withRepository(async (site, queue) => {
            const { jobId } = await queue.store.create({ domain: previewed, preview });
            await completed(queue, jobId);
            assert.deepEqual(site.asked, [{ branch: "next", commit: undefined, historyCommits: undefined }]);
        });
    });

    it("says in its log that the operator allows no build, if the repository names a builder", async () => {
        await withRepository(async (site, queue) => {
            site.files = { [builderFile]: "build:\n" };
            const { jobId } = await queue.store.create({ domain });
            await completed(queue, jobId);
            const line = `${builderFile} names a builder, but the operator's sites file allows no build.`;
            assert.ok((await queue.logOf(jobId)).includes(line));
        });
        await withRepository(async (_site, queue) => {
            const { jobId } = await queue.store.create({ domain });
            await completed(queue, jobId);
            assert.ok((await queue.logOf(jobId)).every((line) => !line.includes("names a builder")));
        });
    });

    const lost = (commit: string) => new LostCommitError(commit, repository.url, new GitError("not our ref"));

    for (const [title, isPreview, what, command] of [
        ["of a site", false, "published", `static-export update ${domain} --wait`],
        ["of a preview", true, "previewed", `static-export update ${domain} --preview next --wait`],
    ] as const) {
        it(`${title} says how to go on if the ${what} commit is gone`, async () => {
            await withRepository(async (site, queue) => {
                site.checkoutError = lost("c0");
                const { jobId } = await queue.store.create(isPreview ? { domain: previewed, preview } : { domain });
                assert.equal(
                    await failed(queue, jobId),
                    `The ${what} commit c0 is no longer in ${repository.url}, because its history was rewritten: start ` +
                        `a documentation update of ${domain} (${command}), and then a new export.`,
                );
            });
        });
    }

    it("says that a new one is needed if the commit of its first run is gone, and so does an update", async () => {
        for (const kind of ["export", "update"] as const) {
            await withRepository(async (site, queue) => {
                const { store, attempts } = queue;
                site.checkoutError = lost("c5");
                const { jobId } = await (kind === "update" ? store.createUpdate(update) : store.create({ domain }));
                const run = (await attempts.claim())!;
                await attempts.recordSource(run, "c5");
                await attempts.putBack(run);
                assert.equal(
                    await failed(queue, jobId),
                    `The job's commit c5 is no longer in ${repository.url}: its history was rewritten. Start a new ` +
                        `${kind === "update" ? "documentation update" : "export"}.`,
                );
            });
        }
    });

    it("fails with the error of any other checkout", async () => {
        await withRepository(async (site, queue) => {
            site.checkoutError = new Error("Branch main could not be fetched.");
            const { jobId } = await queue.store.create({ domain });
            assert.equal(await failed(queue, jobId), "Branch main could not be fetched.");
        });
    });
});

describe("An update of a repository", () => {
    it("publishes the newest commit with its details, and stores no bundle", async () => {
        await withRepository(async (site, queue) => {
            await publish(queue, "c0");
            const { jobId } = await queue.store.createUpdate(update);
            const job = await completed(queue, jobId);
            assert.deepEqual(
                [job.sourceRef, job.commitDetails, job.sha256, job.sizeBytes],
                ["c1", { author: "Ann", message: "Fix typos" }, null, null],
            );
            const asked = { branch: "main", commit: undefined, historyCommits: undefined };
            assert.deepEqual(site.asked, [asked, { before: "c0" }]);
            assert.ok((await queue.logOf(jobId)).every((line) => !line.startsWith("Stores the bundle")));
            const name = `Documentation update ${jobId} of ${domain}`;
            assert.ok(queue.infos.includes(`${name} builds commit c1 of ${repository.url}.`));
            assert.ok(queue.infos.includes(`${name} completed: 3 pages.`));
        });
    });
});

describe("An export of a site with a build", () => {
    it("runs the builder in the checkout, and exports its output as it is", async () => {
        await withRepository(
            async (site, queue) => {
                const { jobId } = await queue.store.create({ domain });
                await completed(queue, jobId);
                const { folder, checkout, sourceDir, cacheName, build } = site.built[0]!;
                assert.deepEqual([`${folder}/site`, `${folder}/site/docs`], [checkout, sourceDir]);
                assert.equal(cacheName, domain);
                assert.deepEqual(build.variables, {
                    STATIC_EXPORT_URL: `https://${domain}/help/`,
                    STATIC_EXPORT_BRANCH: "main",
                    STATIC_EXPORT_COMMIT: "c1",
                    STATIC_EXPORT_PREVIEW: "false",
                });
                const { request } = queue.exporter.begun[0]!;
                assert.deepEqual(
                    [request.sourceDir, request.excludedDirs, request.prebuilt],
                    [`${folder}/out`, [], true],
                );
                const { historyCommits } = siteBuild.limits;
                assert.deepEqual(site.asked, [{ branch: "main", commit: undefined, historyCommits }]);
            },
            { build: true, basePath: "help" },
        );
    });

    it("builds previews without a cache, and at the root", async () => {
        await withRepository(
            async (site, queue) => {
                const { jobId } = await queue.store.create({ domain: previewed, preview });
                await completed(queue, jobId);
                const [{ cacheName, build } = assert.fail()] = site.built;
                assert.equal(cacheName, undefined);
                assert.deepEqual(
                    [build.variables?.["STATIC_EXPORT_URL"], build.variables?.["STATIC_EXPORT_PREVIEW"]],
                    [`https://${previewed}/`, "true"],
                );
            },
            { build: true },
        );
    });

    it("logs the builder's lines, and its progress is nine tenths that of the build", async () => {
        await withRepository(
            async (site, queue) => {
                const { store, exporter } = queue;
                const { jobId } = await store.create({ domain });
                const shown = async () => {
                    const job = await store.get(jobId);
                    return [job?.progress, job?.pageCount];
                };
                const duringBuild: unknown[] = [];
                site.onBuild = async ({ onLine }) => {
                    onLine("Rendering (1/2)");
                    onLine("Bundling");
                    duringBuild.push(...(await shown()));
                    return "out";
                };
                await queue.queue.startAlone();
                const running = await exporter.nth(1);
                assert.deepEqual(duringBuild, [45, 0]);
                running.control.onProgress(50, 5);
                assert.deepEqual(await shown(), [95, 5]);
                await running.complete();
                await queue.ended(jobId);
                const lines = ["Runs the site's builder.", "Rendering (1/2)", "Bundling", "Exports the pages."];
                assert.deepEqual((await queue.logOf(jobId)).slice(3, 7), lines);
            },
            { build: true },
        );
    });

    it("fails with errors that do not name the place of its files on the machine", async () => {
        for (const [message, error] of [
            ["cannot read FOLDER/site/a and REAL/site/b", "cannot read site/a and site/b"],
            ["cannot read REAL/site/b", "cannot read site/b"],
            ["The build ended with code 1.", "The build ended with code 1."],
        ] as const) {
            await withRepository(
                async (site, queue) => {
                    site.onBuild = async ({ folder }) => {
                        const real = await realpath(folder);
                        throw new Error(message.replace("FOLDER", folder).replace("REAL", real));
                    };
                    const { jobId } = await queue.store.create({ domain });
                    assert.equal(await failed(queue, jobId), error);
                },
                { build: true },
            );
        }
    });
});
