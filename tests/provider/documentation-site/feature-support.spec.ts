import assert from "node:assert/strict";
import { featureSupport, findUnsupported } from "../../../provider/src/documentation-site/feature-support.js";

describe("the feature matrix", () => {
    it("equals that of the contract, cell by cell", () => {
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
        it(`refuses ${feature} in an air-gapped deployment, with the row that it breaks`, () => {
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
