import assert from "node:assert/strict";
import { type PublishRequest, readRecord, type SiteTarget } from "@pulumi-static-export/sdk/publish";
import type { CreatePlace } from "../support/places.js";
import { type Site, SiteFixture, watchTarget } from "../support/site-fixture.js";

/** Returns a release whose files, except one, differ from the files of the same names in other releases. */
function release(version: number): Site {
    const page = (path: string) => `${path} v${version} needs data.json v${version}`;
    return {
        "index.html": page("index.html"),
        "a.html": page("a.html"),
        "b/c.html": page("b/c.html"),
        "data.json": `data.json v${version}`,
        "same.html": "same in all",
        ...(version % 2 === 0 ? { "even.html": page("even.html") } : {}),
    };
}

/** @param rounds - how many times a release is interrupted and published again */
export function describeWholeReleases(createPlace: CreatePlace, rounds: number): void {
    describe("Publishing whole releases", () => {
        let fixture: SiteFixture;
        beforeEach(async () => (fixture = await SiteFixture.create(createPlace)));
        afterEach(() => fixture.remove());

        const publish = (version: number, request: Partial<PublishRequest> = {}, target?: SiteTarget) =>
            fixture.publish(release(version), { switching: "releases", jobId: `se_${version}`, ...request }, target);

        const served = () => fixture.served();
        const releases = async () => {
            const paths = await fixture.place.paths();
            return [...new Set(paths.flatMap((path) => /^releases\/[^/]+/.exec(path) ?? []))];
        };

        it("stores each release in a separate folder, and names the live release last", async () => {
            const { release: published } = await publish(1);
            assert.match(published.prefix ?? "", /^releases\/[0-9a-f]{16}\/$/);
            assert.deepEqual(await served(), release(1));
            const { record } = await readRecord(await fixture.openTarget(), new AbortController().signal);
            assert.equal(record?.live?.prefix, published.prefix);
            assert.equal(await fixture.place.served(), published.prefix);
        });

        it("copies unchanged files within the target, and reports the paths that changed for readers", async () => {
            await publish(1);
            const { sentFiles, copiedFiles, changedPaths } = await publish(2);
            assert.deepEqual([sentFiles, copiedFiles], [5, 1]);
            assert.deepEqual(
                [...changedPaths].sort(),
                ["index.html", "a.html", "b/c.html", "data.json", "even.html"].sort(),
            );
            assert.ok((await publish(3)).changedPaths.includes("even.html"), "a removed page changed, too");
        });

        it("returns to an earlier release by switching alone, without copying files", async () => {
            await publish(1, { keep: 1 });
            await publish(2, { keep: 1 });
            const written: string[] = [];
            const target = watchTarget(await fixture.openTarget(), (operation, path) => {
                written.push(`${operation} ${path}`);
            });
            const { sentFiles, copiedFiles, changedPaths } = await publish(1, { keep: 1 }, target);
            assert.deepEqual([sentFiles, copiedFiles], [0, 0]);
            assert.equal(changedPaths.length, 5);
            assert.deepEqual(await served(), release(1));
            assert.equal(fixture.opened, 2);
            assert.ok(written.filter((each) => /^(send|copy)/.test(each)).length === 0, written.join("\n"));
        });

        it("removes the previous release after the grace time, but not in the run that replaces it", async () => {
            await publish(1);
            const { removalDueAtMs } = await publish(2, { graceSeconds: 0 });
            assert.equal((await releases()).length, 2);
            assert.ok(removalDueAtMs! <= fixture.nowMs);
            await publish(2, { graceSeconds: 0 });
            assert.equal((await releases()).length, 1);
            assert.deepEqual(await served(), release(2));
        });

        it("keeps the site available while it changes between whole releases and single files", async () => {
            await publish(1, { switching: "files" });
            const { copiedFiles } = await publish(1);
            assert.equal(copiedFiles, 5);
            assert.deepEqual(await served(), release(1));
            assert.match(
                fixture.logged.at(-1) ?? "",
                /let the host look up the live one, or set the switching to files/,
            );
            const { changedPaths } = await publish(1, { switching: "files", graceSeconds: 0 });
            assert.match(fixture.logged.at(-1) ?? "", /let the host serve them, or set the switching to releases/);
            assert.deepEqual(changedPaths, []);
            const live = await fixture.live();
            assert.equal(live["index.html"], release(1)["index.html"]);
        });

        it("purges pages that only the last whole release had when files are replaced one by one", async () => {
            await publish(2);
            const { changedPaths } = await publish(3, { switching: "files" });
            const expected = ["a.html", "b/c.html", "data.json", "even.html", "index.html"];
            assert.deepEqual([...changedPaths].sort(), expected);
        });

        it(`shows readers only whole releases while ${rounds} runs are killed and repeated`, async () => {
            await publish(0);
            let crawled = 0;
            const crawl = async (allowed: readonly number[]) => {
                const site = await served();
                const version = Number(/ v(\d+)/.exec(site["index.html"] ?? "")?.[1]);
                assert.ok(
                    allowed.includes(version),
                    `version ${version} is served while ${allowed.join(" or ")} may be`,
                );
                assert.deepEqual(site, release(version));
                crawled += 1;
            };
            for (let round = 1; round <= rounds; round += 1) {
                const options = { keep: round % 3, graceSeconds: round % 2 === 0 ? 0 : 86_400 };
                let writes = 0;
                // Each round is killed before a different write.
                const killed = watchTarget(await fixture.openTarget(), async () => {
                    await crawl([round - 1, round]);
                    if (++writes > (round * 7) % 17) {
                        throw new Error("killed");
                    }
                });
                await publish(round, options, killed).catch((error: Error) => assert.equal(error.message, "killed"));
                const resumed = watchTarget(await fixture.openTarget(), () => crawl([round - 1, round]));
                await publish(round, options, resumed);
                await crawl([round]);
            }
            assert.ok(crawled > rounds * 5, String(crawled));
        });
    });
}
