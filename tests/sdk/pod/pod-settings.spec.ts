import assert from "node:assert/strict";
import { readPodSettings } from "../../../sdk/src/pod/pod-settings.js";

const required = { EXPORT_ID: "e1", MAX_BUNDLE_MIB: "1", MAX_SITE_MIB: "2", MAX_FILES: "3" };

describe("The settings of a pod", () => {
    it("have defaults for what the chart may leave out", () => {
        assert.deepEqual(readPodSettings(required), {
            exportId: "e1",
            expectedSha256: undefined,
            healthz: "",
            secretFolder: "/etc/static-export",
            siteFolder: "/srv/site",
            workFolder: "/srv/site/.work",
            cacheFolder: undefined,
            groupsSeparator: "",
            attempts: 6,
            attemptTimeoutMs: 300_000,
            retryDelayMs: 2000,
            maxBundleMib: 1,
            maxSiteMib: 2,
            maxFiles: 3,
        });
    });

    it("treat an empty variable as missing", () => {
        const empty = { EXPECTED_SHA256: "", CACHE_DIR: "", ATTEMPTS: "", SITE_DIR: "", RETRY_DELAY_SECONDS: "0" };
        const { expectedSha256, cacheFolder, attempts, siteFolder, retryDelayMs } = readPodSettings({
            ...required,
            ...empty,
        });
        assert.deepEqual(
            [expectedSha256, cacheFolder, attempts, siteFolder, retryDelayMs],
            [undefined, undefined, 6, "/srv/site", 0],
        );
    });

    for (const name of Object.keys(required)) {
        it(`require ${name}`, () => {
            assert.throws(() => readPodSettings({ ...required, [name]: "" }), new RegExp(`${name} is not set`));
        });
    }
});
