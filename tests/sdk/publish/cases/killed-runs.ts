import assert from "node:assert/strict";
import fc from "fast-check";
import type { PublishRequest, SiteTarget } from "@pulumi-static-export/sdk/publish";
import type { CreatePlace } from "../support/places.js";
import { type Site, SiteFixture, watchTarget } from "../support/site-fixture.js";

/** Returns a release in which every page names the version of the files that it needs. */
function release(version: number): Site {
    const asset = `site.${String(version).padStart(7, "0")}a.css`;
    const pages = ["index.html", "a.html", "b/c.html", ...(version % 2 === 0 ? ["even.html"] : ["odd.html"])];
    // Some pages return to earlier content, so they are equal in two releases.
    const page = (path: string) => `${path} v${path === "a.html" ? version % 2 : version} needs ${asset}`;
    const same = `a.html is the same and needs ${sharedAsset}`;
    return {
        ...Object.fromEntries(pages.map((path) => [path, page(path)])),
        "a.html": version % 3 === 0 ? same : page("a.html"),
        [asset]: `asset ${version}`,
        [sharedAsset]: "shared",
    };
}
const sharedAsset = "shared.0000000a.css";

/** Asserts that the asset of each page exists, as a browser expects. */
function assertWhole(site: Site): void {
    for (const [path, content] of Object.entries(site)) {
        const [, asset] = / needs (\S+)$/.exec(content) ?? [];
        assert.ok(asset === undefined || site[asset] !== undefined, `${path} needs ${asset}, which is not there`);
    }
}

export class Killed extends Error {}

/** Stops after this many writes. The last write may still have been carried out. */
export function dieAfter(target: SiteTarget, writes: number, isLastDone: boolean): SiteTarget {
    let count = 0;
    return watchTarget(target, () => {
        count += 1;
        if (count > writes || (count === writes && !isLastDone)) {
            throw new Killed();
        }
    });
}

const kills = fc.array(
    fc.record({ version: fc.integer({ min: 0, max: 5 }), writes: fc.nat({ max: 25 }), isLastDone: fc.boolean() }),
    { minLength: 1, maxLength: 5 },
);
/** @param numRuns - the number of kill schedules */
export function describeKilledRuns(createPlace: CreatePlace, numRuns: number): void {
    describe("Runs that are killed at any point", () => {
        it("do not let the next run report files that they never wrote as removed by somebody else", async () => {
            const fixture = await SiteFixture.create(createPlace);
            try {
                for (let writes = 1; writes < 12; writes += 1) {
                    const target = dieAfter(await fixture.openTarget(), writes, false);
                    await fixture.publish(release(writes), {}, target).catch((error: unknown) => error);
                }
                await fixture.publish(release(1));
                assert.doesNotMatch(fixture.logged.join("\n"), /by somebody else/);
            } finally {
                await fixture.remove();
            }
        });

        it("never show a page without its asset, and are completed by the next run", async () => {
            await fc.assert(
                fc.asyncProperty(kills, fc.nat({ max: 5 }), async (runs, last) => {
                    const fixture = await SiteFixture.create(createPlace);
                    try {
                        const options: Partial<PublishRequest> = { keep: 2, graceSeconds: 1_000_000 };
                        for (const { version, writes, isLastDone } of runs) {
                            const target = dieAfter(await fixture.openTarget(), writes, isLastDone);
                            await fixture
                                .publish(release(version), { ...options, jobId: `se_${version}` }, target)
                                .catch((error: unknown) => assert.ok(error instanceof Killed, String(error)));
                            assertWhole(await fixture.live());
                        }
                        const { removalDueAtMs } = await fixture.publish(release(last), {
                            ...options,
                            jobId: `se_${last}`,
                        });
                        const live = await fixture.live();
                        assertWhole(live);
                        for (const [path, content] of Object.entries(release(last))) {
                            assert.equal(live[path], content, path);
                        }
                        fixture.nowMs = removalDueAtMs ?? fixture.nowMs;
                        const { earlier } = await fixture.publish(release(last), { ...options, graceSeconds: 0 });
                        assert.deepEqual(await fixture.live(), release(last));
                        await assertServedAgain(fixture, earlier, options);
                    } finally {
                        await fixture.remove();
                    }
                }),
                { numRuns },
            );
        });
    });
}

/** Asserts that each listed release can be served again without opening it. */
async function assertServedAgain(
    fixture: SiteFixture,
    earlier: readonly { jobId?: string }[],
    options: Partial<PublishRequest>,
): Promise<void> {
    const { opened } = fixture;
    for (const { jobId = "" } of earlier) {
        await fixture.publish({}, { ...options, jobId, graceSeconds: 0 });
        assert.deepEqual(await fixture.live(), release(Number(jobId.slice(3))));
    }
    assert.equal(fixture.opened, opened);
}
