import assert from "node:assert/strict";
import {
    featureSupport,
    featureValues,
    findUnsupported,
} from "../../../provider/src/documentation-site/feature-support.js";

describe("the feature matrix", () => {
    it("equals the contract's feature matrix in every cell", () => {
        const rows = ["documentationSearch", "aiAssistant", "webAnalytics", "apiPlayground"] as const;
        const [cloud, clientHosted, airGapped] = [
            featureSupport("cloud"),
            featureSupport("client-hosted"),
            featureSupport("air-gapped"),
        ];
        assert.deepEqual(
            rows.map((row) => [cloud[row], clientHosted[row], airGapped[row]]),
            [
                ["available", "configurable", "unavailable"],
                ["available", "configurable", "unavailable"],
                ["available", "configurable", "unavailable"],
                ["available", "available", "configurable"],
            ],
        );
    });

    for (const feature of ["documentationSearch", "aiAssistant", "webAnalytics"] as const) {
        it(`refuses ${feature} in an air-gapped deployment, and shows the matrix row`, () => {
            const refusal = String(findUnsupported("air-gapped", { [feature]: true }));
            assert.match(refusal, new RegExp(`features\\.${feature} cannot be true`));
            assert.match(refusal, /\| cloud: available \| client-hosted: configurable \| air-gapped: unavailable/);
            assert.equal(findUnsupported("air-gapped", { [feature]: false }), undefined);
            assert.equal(findUnsupported("client-hosted", { [feature]: true }), undefined);
        });
    }

    it("accepts configurable features", () => {
        assert.equal(findUnsupported("air-gapped", { apiPlayground: true }), undefined);
    });

    it("refuses an unknown deployment type and an unknown feature", () => {
        const types = /must be one of cloud, client-hosted, air-gapped, got "on-premises"/;
        assert.match(String(findUnsupported("on-premises")), types);
        const typo = { aiAsistant: true } as object;
        assert.match(String(findUnsupported("cloud", typo)), /features\.aiAsistant is not a feature/);
    });
});

describe("features of a deployment in the chart's values", () => {
    const valuesOf = (deploymentType: string, features?: object, given?: object) =>
        featureValues({ deploymentType, features, takesDigest: true }, given).features;

    it("stay as exported unless the program disables them", () => {
        for (const deployment of ["cloud", "client-hosted"]) {
            assert.equal(valuesOf(deployment), undefined);
            assert.equal(valuesOf(deployment, { documentationSearch: true }), undefined);
        }
    });

    it("are off if the program disables them, even if its values enable them", () => {
        assert.deepEqual(valuesOf("cloud", { webAnalytics: false, apiPlayground: true }), { webAnalytics: false });
        const given = { webAnalytics: true, documentationSearch: false };
        const off = { webAnalytics: false, documentationSearch: false };
        assert.deepEqual(valuesOf("client-hosted", { webAnalytics: false }, given), off);
    });

    it("are all off in an air-gapped deployment, except a playground that the program enables", () => {
        const off = { documentationSearch: false, aiAssistant: false, webAnalytics: false };
        assert.deepEqual(valuesOf("air-gapped"), { ...off, apiPlayground: false });
        assert.deepEqual(valuesOf("air-gapped", { apiPlayground: true }), off);
    });

    it("are not set for another chart", () => {
        const site = { deploymentType: "air-gapped", features: { webAnalytics: false }, takesDigest: false };
        assert.deepEqual(featureValues(site, undefined), {});
    });
});
