import assert from "node:assert/strict";
import { privatePagesNeedAccess } from "../../../../policy/src/policies/deployments/private-pages-need-access.js";
import {
    bucketSite,
    bundle,
    bundleCheck,
    bundleInPreview,
    exportJob,
    link,
    mirror,
    mirrorInPreview,
    release,
} from "../../support/resources.js";
import { type TestResource, unknown, validateStack } from "../../support/run-policy.js";

const staticExport = { enabled: true, bundleUrl: link };
const open = { staticExport };
const byHeader = { staticExport, access: { header: { groups: "X-Groups" } } };
const byProvider = { staticExport, access: { oidc: { issuer: unknown } } };
const named = { privateDomains: ["Docs.example.com"] };

describe("The configuration of private-pages-need-access", () => {
    const { items } = privatePagesNeedAccess.configSchema!.properties["privateDomains"] as {
        items: { pattern: string };
    };

    it("takes host names, and no URL, wildcard or trailing dot, which would match no bundle", () => {
        const isTaken = (domain: string) => new RegExp(items.pattern).test(domain);
        const wrong = ["https://docs.example.com", "docs.example.com.", "*.example.com", "docs.example.com/guide"];
        assert.deepEqual([isTaken("Docs.example.com"), wrong.filter(isTaken)], [true, []]);
    });
});

describe("private-pages-need-access", () => {
    const validate = (resources: TestResource[], config: object = {}) =>
        validateStack(privatePagesNeedAccess, resources, config);

    for (const [tells, found, resources, config] of [
        [
            "a check that measured it",
            /BundleCheck "docs" found private files/,
            [bundleCheck({ privateFileCount: 3 })],
            {},
        ],
        [
            "a check that is about to run, and allows it",
            /BundleCheck "docs" allows private files in its bundle/,
            [bundleCheck({ access: true }, bundleInPreview())],
            {},
        ],
        ["the configuration", /"privateDomains" of this policy names the domain/, [], named],
    ] as const) {
        it(`refuses a release without access, if private pages are known from ${tells}`, async () => {
            for (const values of [open, { ...open, access: { header: { groups: "" }, oidc: { issuer: "" } } }]) {
                const [violation] = await validate([bundle(), ...resources, release(values, [bundle()])], config);
                assert.match(violation!.message, /\nRelease "docs" has neither access\.header nor access\.oidc/);
                assert.match(violation!.message, found);
                assert.equal(violation!.level, "mandatory");
            }
        });

        it(`accepts a release with access, if private pages are known from ${tells}`, async () => {
            for (const values of [byHeader, byProvider]) {
                const all = [bundle(), ...resources, release(values, [bundle()])];
                assert.deepEqual(await validate(all, config), []);
            }
        });
    }

    it("rejects a BucketSite with private pages, unless its host decides who may read them", async () => {
        for (const from of [bundle(), bundleInPreview(), exportJob()]) {
            const [violation] = await validate([from, bucketSite({}, from)], named);
            assert.match(violation!.message, /\nBucketSite "docs" shows every file to everybody, but "privateDomains"/);
            assert.equal(violation!.level, "mandatory");
            for (const access of ["edge", unknown]) {
                assert.deepEqual(await validate([from, bucketSite({ access }, from)], named), []);
            }
        }
    });

    it("rejects a BucketSite of a job if a check found private files in its bundle", async () => {
        const site: TestResource = { ...bucketSite({ jobId: "se_9" }), from: {} };
        for (const [jobId, expected] of [
            ["se_9", 1],
            ["se_8", 0],
        ] as const) {
            const check = { ...bundleCheck({ jobId, privateFileCount: 2 }), from: {} };
            assert.equal((await validate([check, site])).length, expected);
        }
    });

    it("reads the checks of all bundles of a release", async () => {
        const other = bundle({ domain: "other.example.com", jobId: "se_2" }, { name: "other" });
        const checks = [
            bundleCheck({ privateFileCount: 0 }),
            bundleCheck({ privateFileCount: 2, jobId: "se_2" }, other),
        ];
        const served = release(open, [bundle(), other]);
        assert.equal((await validate([bundle(), other, ...checks, served])).length, 1);
    });

    it("recognises the job behind a mirror that copies it without a bundle", async () => {
        const job = exportJob();
        const copy = mirrorInPreview({}, job);
        assert.equal((await validate([job, copy, release(open, [copy])], named)).length, 1);
        const check = bundleCheck({ access: true }, job);
        assert.equal((await validate([job, copy, check, release(open, [copy])])).length, 1);
    });

    it("rejects a release if one of its sections does not restrict readers", async () => {
        const values = { one: open, two: byHeader };
        assert.equal((await validate([bundle(), release(values, [bundle()])], named)).length, 1);
    });

    it("ignores a disabled release", async () => {
        const disabled = release({ staticExport: { ...staticExport, enabled: false } }, [bundle()]);
        assert.deepEqual(await validate([bundle(), disabled], named), []);
    });

    it("rejects a release whose configured value is off or missing", async () => {
        const config = { ...named, accessValue: "signIn.enabled" };
        for (const signIn of [{ enabled: false }, { enabled: "" }, {}]) {
            const resources = [bundle(), release({ staticExport, signIn }, [bundle()])];
            assert.equal((await validate(resources, config)).length, 1);
        }
    });

    it("rejects a release without access settings, even if it takes other values from another resource", async () => {
        const other = { type: "acme:index:Theme", name: "theme" };
        const resources = [bundle(), other, release(open, [bundle(), other])];
        assert.equal((await validate(resources, named)).length, 1);
    });

    it("compares domains regardless of case, and ignores an unknown domain", async () => {
        const upper = bundle({ domain: "DOCS.example.com" });
        assert.equal((await validate([upper, release(open, [upper])], named)).length, 1);
        const hidden = bundle({ domain: unknown });
        assert.deepEqual(await validate([hidden, release(open, [hidden])], named), []);
    });

    it("accepts a BucketSite if its bundle is not known to have private pages", async () => {
        assert.deepEqual(await validate([bundle(), bucketSite()]), []);
    });

    it("recognises the bundle behind a mirror, even in the first preview", async () => {
        for (const [export_, copy] of [
            [bundle(), mirror()],
            [bundleInPreview(), mirrorInPreview()],
        ] as const) {
            const check = bundleCheck({ access: true }, export_);
            assert.equal((await validate([export_, copy, check, release(open, [copy])])).length, 1);
            assert.equal((await validate([export_, copy, release(open, [copy])], named)).length, 1);
        }
    });

    it("accepts another chart if its configured value restricts readers", async () => {
        const values = { staticExport, signIn: { enabled: true } };
        const resources = [bundle(), release(values, [bundle()])];
        assert.equal((await validate(resources, named)).length, 1);
        assert.deepEqual(await validate(resources, { ...named, accessValue: "signIn.enabled" }), []);
    });

    it("accepts access settings that come from another resource", async () => {
        const provider = { type: "acme:index:IdentityProvider", name: "id" };
        const values = { staticExport, access: { oidc: {} } };
        const resources = [bundle(), provider, release(values, [bundle(), provider])];
        assert.deepEqual(await validate(resources, named), []);
    });

    it("ignores releases without known private pages, and checks of other bundles", async () => {
        const other = bundle({ domain: "other.example.com", jobId: "se_2" }, { name: "other" });
        const check = bundleCheck({ access: true, jobId: "se_2" }, other);
        const resources = [bundle(), bundleCheck({ privateFileCount: 0, jobId: "se_1" }), release(open, [bundle()])];
        assert.deepEqual(await validate([...resources, other, check]), []);
        assert.deepEqual(await validate(resources, { privateDomains: ["other.example.com"] }), []);
    });
});
