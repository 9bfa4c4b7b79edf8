import assert from "node:assert/strict";
import { releaseVersionMatches } from "../../../../policy/src/policies/releases/release-version-matches.js";
import { bundle, bundleInPreview, exportJob, mirror, mirrorInPreview, release } from "../../support/resources.js";
import { type TestResource, unknown, validateStack } from "../../support/run-policy.js";

describe("release-version-matches", () => {
    const check = (version: unknown, from: TestResource[], stack = "dev") =>
        validateStack(releaseVersionMatches, [
            ...from,
            { ...release({ staticExport: { enabled: true, ...(version ? { version } : {}) } }, from), stack },
        ]);

    for (const [state, from] of [
        ["is there", [bundle({ version: "1" })]],
        ["is about to be made", [bundleInPreview({ version: "1" })]],
        ["was mirrored", [mirror({}, bundle({ version: "1" })), bundle({ version: "1" })]],
    ] as const) {
        it(`accepts the bundle's version if the export ${state}`, async () => {
            assert.deepEqual(await check("1", [...from]), []);
        });

        it(`refuses another version if the export ${state}, without showing either version`, async () => {
            const [violation] = await check("another-1", [...from]);
            assert.match(violation!.message, /\nRelease "docs" has a values\.staticExport\.version that is neither/);
            assert.doesNotMatch(violation!.message, /another-1/);
        });
    }

    it("accepts the version of the StaticExportJob that the bundle waits for, and refuses other versions", async () => {
        const job = exportJob({ version: "1", jobId: "se_1" });
        const waiting = bundle({}, { from: { jobId: [job] } });
        assert.deepEqual(await check("1", [job, waiting]), []);
        assert.equal((await check("2", [job, waiting])).length, 1);
    });

    it("accepts the bundle's job, and the job of a mirror without a declared bundle", async () => {
        assert.deepEqual(await check("se_1", [bundle()]), []);
        const alone = { ...mirror(), from: {} };
        assert.deepEqual(await check("se_1", [alone]), []);
    });

    it("accepts an earlier job if the mirror is pinned to it", async () => {
        const pinned = mirror({ pin: "se_0" });
        const served = (version: string) => [bundle(), pinned, release({ staticExport: { version } }, [pinned])];
        assert.deepEqual(await validateStack(releaseVersionMatches, served("se_0")), []);
        assert.equal((await validateStack(releaseVersionMatches, served("se_2"))).length, 1);
    });

    it("accepts a version that YAML parsed as a number", async () => {
        assert.deepEqual(await check(2026, [bundle({ version: "2026" })]), []);
    });

    it("reports nothing if either version is unknown", async () => {
        assert.deepEqual(await check(unknown, [bundle({ version: "1" })]), []);
        assert.deepEqual(await check("1", [bundleInPreview({ version: unknown })]), []);
        assert.deepEqual(
            await check("1", [mirrorInPreview({ jobId: unknown }, bundleInPreview({ version: unknown }))]),
            [],
        );
        assert.deepEqual(await check(undefined, [bundleInPreview()], "prod"), []);
    });

    it("does not accept the version of a resource that is not an export job", async () => {
        const other: TestResource = { type: "my:index:Job", name: "job", props: { version: "2" } };
        const waiting = bundle({ version: "1" }, { from: { jobId: [other] } });
        assert.equal((await check("2", [other, waiting])).length, 1);
    });

    it("refuses a version that is neither a text nor a number", async () => {
        assert.equal((await check(["1"], [bundle({ version: "1" })])).length, 1);
    });

    it("requires no version of a disabled release", async () => {
        const disabled = { ...release({ staticExport: { enabled: false } }, [bundle()]), stack: "prod" };
        assert.deepEqual(await validateStack(releaseVersionMatches, [bundle(), disabled]), []);
    });

    it("refuses a missing version only in a named stack", async () => {
        assert.deepEqual(await check(undefined, [bundle()], "dev"), []);
        const [violation] = await check(undefined, [bundle()], "prod");
        assert.match(violation!.message, /has no values\.staticExport\.version/);
    });

    it("ignores a release without an export", async () => {
        assert.deepEqual(await check("1", []), []);
    });
});
