import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { warnOfClearSettings } from "../../../provider/src/program/clear-settings.js";

const runtime = pulumi.runtime as { isConfigSecret?: unknown; allConfig?: unknown };
const warn = pulumi.log.warn;

describe("A plain setting in the stack's configuration", () => {
    const warnings: string[] = [];
    const { isConfigSecret, allConfig } = runtime;

    beforeEach(() => {
        warnings.length = 0;
        pulumi.runtime.setAllConfig({ "static-export:adminApiKey": "5ecret" }, []);
        (pulumi.log as { warn: unknown }).warn = (text: string) => Promise.resolve(warnings.push(text));
    });
    afterEach(() => {
        Object.assign(runtime, { isConfigSecret, allConfig });
        (pulumi.log as { warn: unknown }).warn = warn;
        pulumi.runtime.setAllConfig({});
    });

    for (const missing of ["isConfigSecret", "allConfig"] as const) {
        it(`is ignored without a failure if Pulumi's SDK has no ${missing}`, () => {
            delete runtime[missing];
            warnOfClearSettings(["static-export:adminApiKey"]);
            assert.deepEqual(warnings, []);
        });
    }

    it("is reported once, without its value, if Pulumi's SDK can distinguish it from a secret", () => {
        warnOfClearSettings(["static-export:adminApiKey"]);
        warnOfClearSettings(["static-export:adminApiKey"]);
        assert.equal(warnings.length, 1);
        assert.match(warnings[0] ?? "", /^static-export:adminApiKey is in plaintext/);
        assert.doesNotMatch(warnings[0] ?? "", /5ecret/);
    });

    it("is not reported if it is not set, or if it is a secret", () => {
        pulumi.runtime.setAllConfig({ "static-export:purgeToken": "5ecret" }, ["static-export:purgeToken"]);
        warnOfClearSettings(["static-export:purgeToken", "static-export:azureStorageKey"]);
        assert.deepEqual(warnings, []);
    });
});
