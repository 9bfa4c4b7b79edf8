import assert from "node:assert/strict";
import { deploymentTypes, featureMatrix, features } from "@pulumi-static-export/contract";
import { featureMatrixHolds } from "../../../../policy/src/policies/deployments/feature-matrix.js";
import { bundle, link, release, site } from "../../support/resources.js";
import { unknown, validateStack } from "../../support/run-policy.js";

describe("feature-matrix", () => {
    for (const feature of features) {
        for (const type of deploymentTypes) {
            const availability = featureMatrix[feature][type];
            const declared = [site(type, { [feature]: true })];
            const chart = [
                bundle(),
                release({ staticExport: { enabled: true, bundleUrl: link }, search: { on: true } }, [bundle()]),
            ];
            const config = { deploymentType: type, featureValues: { [feature]: "search.on" } };

            if (availability === "available") {
                it(`accepts ${feature} in ${type} deployments`, async () => {
                    assert.deepEqual(await validateStack(featureMatrixHolds, declared), []);
                    assert.deepEqual(await validateStack(featureMatrixHolds, chart, config), []);
                });
            } else {
                const reason = availability === "unavailable" ? "unavailable" : "depends on how";
                it(`refuses ${feature} in ${type} deployments, if it is ${availability}`, async () => {
                    const [ofSite] = await validateStack(featureMatrixHolds, declared);
                    assert.match(
                        ofSite!.message,
                        new RegExp(`\nDocumentationSite "docs" switches ${feature} on.*${reason}`),
                    );
                    const [ofRelease] = await validateStack(featureMatrixHolds, chart, config);
                    assert.match(ofRelease!.message, new RegExp(`\nRelease "docs" switches ${feature} on.*${reason}`));
                    assert.equal(ofSite!.level, "mandatory");
                });
                it(`${availability === "configurable" ? "accepts" : "refuses"} an acknowledged feature in these deployments`, async () => {
                    const expected = availability === "configurable" ? 0 : 1;
                    const acknowledged = { acknowledged: [feature] };
                    assert.equal((await validateStack(featureMatrixHolds, declared, acknowledged)).length, expected);
                    const both = { ...config, ...acknowledged };
                    assert.equal((await validateStack(featureMatrixHolds, chart, both)).length, expected);
                });
            }
        }
    }

    it("names the missing setting of a configurable feature, and accepts an assistant with its endpoint", async () => {
        const validate = (values: object) => {
            const all = [
                bundle(),
                release({ staticExport: { enabled: true, bundleUrl: link }, ...values }, [bundle()]),
            ];
            return validateStack(featureMatrixHolds, all, { deploymentType: "client-hosted" });
        };
        const [missing] = await validate({ features: { aiAssistant: true } });
        assert.match(
            missing!.message,
            /It needs answer\.enabled and answer\.assistant\.endpoint of the chart's values/,
        );
        const [analytics] = await validate({ features: { webAnalytics: true } });
        assert.match(analytics!.message, /It needs integrations in docs\.json/);
        const answer = { enabled: true, assistant: { endpoint: "http://ollama:11434/v1" } };
        assert.deepEqual(await validate({ features: { aiAssistant: true }, answer }), []);
        assert.deepEqual(await validate({ features: { webAnalytics: false }, answer: { enabled: true } }), []);
    });

    it("refuses an air-gapped release with a model endpoint, regardless of its features", async () => {
        const validate = (answer: object) => {
            const all = [bundle(), release({ staticExport: { enabled: true, bundleUrl: link }, answer }, [bundle()])];
            return validateStack(featureMatrixHolds, all, { deploymentType: "air-gapped" });
        };
        for (const endpoint of ["https://api.example.com/v1", unknown]) {
            const [violation, ...others] = await validate({ enabled: true, assistant: { endpoint } });
            assert.match(violation!.message, /switches aiAssistant on, which is unavailable/);
            assert.deepEqual(others, []);
        }
        assert.deepEqual(await validate({ enabled: true, assistant: {} }), []);
        assert.deepEqual(await validate({ enabled: true, assistant: { endpoint: "" } }), []);
        assert.deepEqual(await validate({ enabled: false, assistant: { endpoint: unknown } }), []);
    });

    it("ignores features that are off or unknown, and unknown deployment types", async () => {
        const off = Object.fromEntries(features.map((feature) => [feature, false]));
        assert.deepEqual(await validateStack(featureMatrixHolds, [site("air-gapped", off)]), []);
        assert.deepEqual(await validateStack(featureMatrixHolds, [site("air-gapped", { aiAssistant: unknown })]), []);
        assert.deepEqual(await validateStack(featureMatrixHolds, [site(undefined, { aiAssistant: true })]), []);
    });

    it("leaves the release of a DocumentationSite to the component's own check", async () => {
        const parent = site("cloud", { documentationSearch: true });
        const inside = release({ staticExport: { enabled: true, bundleUrl: link }, search: { on: true } }, [bundle()]);
        const config = { deploymentType: "air-gapped", featureValues: { documentationSearch: "search.on" } };
        assert.deepEqual(
            await validateStack(featureMatrixHolds, [parent, bundle(), { ...inside, parent }], config),
            [],
        );
    });
});
