import assert from "node:assert/strict";
import fc from "fast-check";
import { cleanSite, PublishError, type SiteTarget } from "@pulumi-static-export/sdk/publish";
import type { CreatePlace } from "../support/places.js";
import { type Site, SiteFixture } from "../support/site-fixture.js";
import { dieAfter, Killed } from "./killed-runs.js";

/** Three sites of two owners, each inside the one before, and the pages that their versions choose from. */
const sites = [
    {
        folder: "",
        owner: "one",
        pages: ["index.html", "a.html", "docs/index.html", "docs/api/b.html", "docs-2/a.html"],
    },
    { folder: "docs/", owner: "two", pages: ["index.html", "a.html", "api/index.html", "api-2/a.html"] },
    { folder: "docs/api/", owner: "one", pages: ["index.html", "b.html", "c/d.html"] },
] as const;
const everyPath = [...new Set(sites.flatMap(({ folder, pages }) => pages.map((page) => folder + page)))];
const graceMs = 60_000;

/** Each bit of a version chooses a page, so that later versions add and drop pages. */
function release(site: number, version: number): Site {
    const { folder, pages } = sites[site]!;
    const chosen = pages.filter((page, index) => page === "index.html" || (version >> index) & 1);
    return Object.fromEntries(chosen.map((page) => [page, `${folder}${page} of site ${site}, version ${version}`]));
}

const site = fc.nat({ max: sites.length - 1 });
const version = fc.integer({ min: 1, max: 31 });
const action = fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant("publish" as const), site, version }) },
    {
        weight: 2,
        arbitrary: fc.record({ kind: fc.constant("kill" as const), site, version, writes: fc.nat({ max: 14 }) }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("roll back" as const), site, version }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("clean" as const), site }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("unpublish" as const), site }) },
    {
        weight: 4,
        arbitrary: fc.record({
            kind: fc.constantFrom("edit" as const, "remove" as const),
            path: fc.constantFrom(...everyPath),
        }),
    },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

/** The knowledge of a reader of all records. */
class World {
    /** The files that a site may have in its list. */
    readonly listed = sites.map(() => new Set<string>());
    readonly isPublished = sites.map(() => false);
    readonly versions = sites.map((): number | undefined => undefined);
    /** The files of the live releases that somebody has changed since the site's last run. */
    readonly drifted = sites.map(() => new Set<string>());

    constructor(readonly fixture: SiteFixture) {}

    target(site: number): Promise<SiteTarget> {
        return this.fixture.place.open(sites[site]!.folder);
    }

    /** All files of all sites and of others, without the records. */
    async files(): Promise<Map<string, string>> {
        const paths = (await this.fixture.place.paths()).filter((path) => !`/${path}`.includes("/.static-export/"));
        return new Map(
            await Promise.all(paths.map(async (path) => [path, await this.fixture.place.read(path)] as const)),
        );
    }

    isInside(site: number, path: string): boolean {
        return sites.some(({ folder }, other) => other > site && this.isPublished[other] && path.startsWith(folder));
    }

    /** Asserts that a run has reported what somebody has changed. */
    assertTold(site: number, isTold: (path: string) => boolean): void {
        const paths = [...this.drifted[site]!].filter(isTold);
        const log = this.fixture.logged.join("\n");
        assert.ok(paths.length === 0 || log.includes("by somebody else"), `not told: ${paths.join()}`);
        this.drifted[site]!.clear();
    }

    /** Asserts that a run of a site has changed no file of another. */
    async assertOwnChanges(site: number, before: Map<string, string>, isComplete: boolean): Promise<void> {
        const after = await this.files();
        const { folder } = sites[site]!;
        for (const path of new Set([...before.keys(), ...after.keys()])) {
            if (before.get(path) === after.get(path)) {
                continue;
            }
            assert.ok(path.startsWith(folder), `${path} is outside of site ${site}`);
            assert.ok(!before.has(path) || this.listed[site]!.has(path), `site ${site} changed ${path} of another`);
            const isOfInner = this.isInside(site, path);
            assert.ok(!isOfInner || !after.has(path), `site ${site} wrote ${path} inside another site`);
            const inner = sites.findIndex((_other, index) => index > site && this.listed[index]!.has(path));
            assert.ok(!isOfInner || inner === -1, `site ${site} removed ${path} of site ${inner}`);
            this.listed[site]!.add(path);
        }
        if (isComplete) {
            for (const path of this.listed[site]!) {
                if (!after.has(path)) {
                    this.listed[site]!.delete(path);
                }
            }
        }
    }
}

/** @param numRuns - the number of random histories */
export function describeSharedPlaces(createPlace: CreatePlace, numRuns: number): void {
    describe("Three sites inside each other, of two owners", () => {
        it("never change a file of another, and end as their last releases, whatever happens to them", async () => {
            const actions = fc.array(action, { minLength: 4, maxLength: 16 });
            await fc.assert(
                fc.asyncProperty(actions, async (history) => {
                    const fixture = await SiteFixture.create(createPlace);
                    try {
                        const world = new World(fixture);
                        for (const [index, each] of history.entries()) {
                            await play(world, each, index);
                            fixture.nowMs += graceMs / 3;
                        }
                        for (const [index, last] of world.versions.entries()) {
                            if (last !== undefined) {
                                await publish(world, index, last);
                            }
                        }
                    } finally {
                        await fixture.remove();
                    }
                }),
                { numRuns },
            );
        }).timeout(600_000);
    });
}

async function play(world: World, action: Action, index: number): Promise<void> {
    switch (action.kind) {
        case "edit":
        case "remove":
            return changeByHand(world, action.path, action.kind === "edit" ? `by hand ${index}` : undefined);
        case "clean":
            return clean(world, action.site);
        case "unpublish":
            return unpublish(world, action.site);
        case "publish":
            return publish(world, action.site, action.version);
        case "kill":
            return publish(world, action.site, action.version, { writes: action.writes });
        case "roll back":
            return publish(world, action.site, action.version, { isRollback: true });
    }
}

async function changeByHand(world: World, path: string, content: string | undefined): Promise<void> {
    const existed = (await world.files()).has(path);
    if (content !== undefined) {
        await world.fixture.place.write(path, content);
    } else if (existed) {
        await (await world.target(0)).remove([path], new AbortController().signal);
    }
    for (const [site, { folder }] of sites.entries()) {
        const last = world.versions[site];
        if (
            existed &&
            last !== undefined &&
            path.slice(folder.length) in release(site, last) &&
            path.startsWith(folder)
        ) {
            world.drifted[site]!.add(path);
        }
    }
}

async function clean(world: World, site: number): Promise<void> {
    const before = await world.files();
    const { fixture } = world;
    fixture.logged.length = 0;
    const isCleaned = await cleanSite(await world.target(site), { ...fixture.run() }).then(
        () => true,
        (error: unknown) => {
            assert.ok(error instanceof PublishError, String(error));
            assert.match(error.message, /No site is published|has not ended|is lost: publish the site again/);
            return false;
        },
    );
    await world.assertOwnChanges(site, before, false);
    if (isCleaned) {
        world.assertTold(site, () => true);
    }
}

async function unpublish(world: World, site: number): Promise<void> {
    const { fixture } = world;
    const { owner } = sites[site]!;
    const before = await world.files();
    const isRemoved = await fixture.unpublish({ owner }, await world.target(site)).then(
        () => true,
        (error: unknown) => {
            assert.match(String(error), /No site is published/);
            return false;
        },
    );
    await world.assertOwnChanges(site, before, isRemoved);
    if (isRemoved) {
        const left = [...world.listed[site]!].filter((path) => !world.isInside(site, path));
        assert.deepEqual(left, [], `files of site ${site} stay`);
        world.listed[site]!.clear();
        world.drifted[site]!.clear();
        world.isPublished[site] = false;
        world.versions[site] = undefined;
    }
}

async function publish(
    world: World,
    site: number,
    version: number,
    { writes = Infinity, isRollback = false }: { writes?: number; isRollback?: boolean } = {},
): Promise<void> {
    const { fixture } = world;
    const { folder, owner } = sites[site]!;
    const before = await world.files();
    const whole = await world.target(site);
    const target = writes === Infinity ? whole : dieAfter(whole, writes, writes % 2 === 0);
    const wanted = release(site, version);
    const jobId = `se_${site}_${version}`;
    const request = {
        owner,
        keep: 2,
        graceSeconds: graceMs / 1000,
        ...(isRollback ? { releaseId: jobId } : { jobId }),
    };
    fixture.logged.length = 0;
    const failure = await fixture.publish(wanted, request, target).then(
        () => undefined,
        (error: Error) => error,
    );
    if (failure instanceof Killed) {
        for (const page of Object.keys(wanted)) {
            world.listed[site]!.add(folder + page);
        }
        await world.assertOwnChanges(site, before, false);
        world.isPublished[site] ||= (await fixture.place.paths()).some(
            (path) =>
                /^(site|record-\d+)\.json$/.test(path.slice(`${folder}.static-export/`.length)) &&
                path.startsWith(`${folder}.static-export/`),
        );
        // A killed run may have repaired and reported something.
        world.drifted[site]!.clear();
        world.versions[site] = undefined;
        return;
    }
    await world.assertOwnChanges(site, before, failure === undefined);
    const isKnown = (path: string) => world.listed[site]!.has(path);
    if (failure !== undefined) {
        assert.ok(failure instanceof PublishError, failure.stack);
        const { message } = failure;
        const reasons = [
            [/contains another site/, Object.keys(wanted).some((page) => world.isInside(site, folder + page))],
            [
                /which are in no list of this site|has files of another site/,
                [...before.keys()].some((path) => !isKnown(path)),
            ],
            [/is not empty/, !world.isPublished[site]],
            [/has no release|does not have all files/, isRollback],
        ] as const;
        assert.ok(
            reasons.some(([text, isReason]) => text.test(message) && isReason),
            message,
        );
        return;
    }
    const after = await world.files();
    for (const [page, content] of Object.entries(wanted)) {
        assert.equal(after.get(folder + page), content, `${page} of site ${site}`);
    }
    world.assertTold(site, (path) => path.slice(folder.length) in wanted);
    world.isPublished[site] = true;
    world.versions[site] = version;
}
