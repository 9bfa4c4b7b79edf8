import assert from "node:assert/strict";
import { airGappedSendsNothing } from "../../../../policy/src/policies/deployments/air-gapped-sends-nothing.js";
import { bucketSite, bundle, bundleCheck, link, release } from "../../support/resources.js";
import { type TestResource, unknown, validateStack } from "../../support/run-policy.js";

const airGapped = { deploymentType: "air-gapped" };
const sends = [
    "page views to plausible.example.com",
    "requests for pictures, frames, styles or fonts to img.example.net",
];
const enabled = { staticExport: { enabled: true, bundleUrl: link } };

describe("air-gapped-sends-nothing", () => {
    const validate = (
        check: object,
        config: object,
        values: object = enabled,
        from = bundle(),
    ): Promise<{ message: string }[]> =>
        validateStack(airGappedSendsNothing, [from, bundleCheck(check, from), release(values, [from])], config);

    it("rejects a release whose pages send data out of the network, and names the hosts", async () => {
        const [violation, ...others] = await validate({ sends }, airGapped);
        assert.match(
            violation!.message,
            /\nRelease "docs" runs air-gapped, and its pages send page views to plausible\.example\.com; requests .* img\.example\.net \(BundleCheck "docs"\)/,
        );
        assert.deepEqual(others, []);
    });

    it("rejects a BucketSite whose pages send data out of the network", async () => {
        const from = bundle();
        const all: TestResource[] = [from, bundleCheck({ sends }, from), bucketSite({}, from)];
        const [violation] = await validateStack(airGappedSendsNothing, all, airGapped);
        assert.match(violation!.message, /\nBucketSite "docs" runs air-gapped/);
        const ofJob = { ...bucketSite({ jobId: "se_9" }), from: {} };
        const check = { ...bundleCheck({ jobId: "se_9", sends }), from: {} };
        assert.equal((await validateStack(airGappedSendsNothing, [check, ofJob], airGapped)).length, 1);
    });

    it("rejects a release with one enabled section", async () => {
        const values = { one: enabled, two: { staticExport: { enabled: false, bundleUrl: link } } };
        assert.equal((await validate({ sends }, airGapped, values)).length, 1);
    });

    it("names only the first of many receivers", async () => {
        const many = Array.from({ length: 41 }, (_, at) => `page views to h${at}.example`);
        const [violation] = await validate({ sends: many }, airGapped);
        assert.match(violation!.message, /h4\.example; and 36 more \(/);
        const [five] = await validate({ sends: many.slice(0, 5) }, airGapped);
        assert.match(five!.message, /h4\.example \(/);
    });

    it("accepts other deployments, bundles that send nothing, and disabled releases", async () => {
        assert.deepEqual(await validate({ sends }, { deploymentType: "client-hosted" }), []);
        assert.deepEqual(await validate({ sends }, {}), []);
        assert.deepEqual(await validate({ sends: [] }, airGapped), []);
        assert.deepEqual(
            await validate({ sends }, airGapped, { staticExport: { enabled: false, bundleUrl: link } }),
            [],
        );
    });

    it("accepts a bundle that has not been checked yet", async () => {
        for (const check of [{}, { sends: unknown }, { sends: "page views" }, { sends: [1, null] }]) {
            assert.deepEqual(await validate(check, airGapped), []);
        }
    });

    it("ignores the check of a different bundle", async () => {
        const other = { ...bundle(), name: "other", props: { ...bundle().props, jobId: "se_other" } };
        const all = [bundle(), other, bundleCheck({ sends }, other), release(enabled, [bundle()])];
        assert.deepEqual(
            await validateStack(
                airGappedSendsNothing,
                [all[0]!, ...all.slice(1, 3), release(enabled, [all[0]!])],
                airGapped,
            ),
            [],
        );
    });
});
