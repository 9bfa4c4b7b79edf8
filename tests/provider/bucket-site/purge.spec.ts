import assert from "node:assert/strict";
import { unknownValue } from "@pulumi-static-export/contract";
import { purgeSite } from "@pulumi-static-export/sdk/publish";
import { checkPurge, readPurgeToken } from "../../../provider/src/bucket-site/purge.js";

const zoneId = "0123456789abcdef0123456789abcdef";

describe("BucketSite: purge", () => {
    for (const purge of [
        { cloudFront: { distributionId: "E2QWRUHAPOMQZL" }, wait: true },
        { cloudFront: { distributionId: unknownValue } },
        { cloudflare: { zoneId, host: "docs.example.com" } },
        { webhook: { url: "https://cache.example.com/purge" } },
        { webhook: { url: "https://cache.example.com/purge" }, cloudFront: null, wait: false },
    ]) {
        it(`accepts ${JSON.stringify(purge)}`, () => assert.equal(checkPurge(purge), undefined));
    }

    for (const [purge, reason] of [
        [{}, /^must have one of cloudFront, cloudflare, webhook$/],
        [{ webhook: { url: "https://a.b/c" }, cloudFront: { distributionId: "E1" } }, /^must have one of/],
        [{ cloudFront: {} }, /distributionId: it is required/],
        [{ cloudFront: "E1" }, /must be an object with distributionId/],
        [{ cloudflare: { zoneId: "example.com", host: "docs.example.com" } }, /zoneId: it must be the id of a zone/],
        [{ webhook: { url: "https://a.b/c?token=s3cr3t" } }, /without user name, password, query/],
        [{ fastly: {} }, /fastly: it is not an input/],
        [["cloudFront"], /^must be an object with cloudFront, cloudflare or webhook, got \["cloudFront"\]$/],
    ] as const) {
        it(`rejects ${JSON.stringify(purge)} with the reason, without showing secrets`, () => {
            const found = checkPurge(purge) ?? "";
            assert.match(found, reason);
            assert.ok(!found.includes("s3cr3t"));
        });
    }

    it("reports where to set a missing Cloudflare token", async () => {
        const secrets = { credentials: undefined, token: undefined };
        const signal = new AbortController().signal;
        await assert.rejects(
            purgeSite({ cloudflare: { zoneId, host: "docs.example.com" } }, ["a.html"], secrets, signal),
            /static-export:purgeToken.*STATIC_EXPORT_PURGE_TOKEN/,
        );
    });

    it("prefers the token in the stack's configuration to the token in the environment", () => {
        const config = (token?: string) => ({ get: () => token, require: () => "" });
        const env = { STATIC_EXPORT_PURGE_TOKEN: "of-env" };
        assert.equal(readPurgeToken(config("of-stack"), env), "of-stack");
        assert.equal(readPurgeToken(config(), env), "of-env");
        assert.equal(readPurgeToken(config(), {}), undefined);
        assert.equal(readPurgeToken(config(""), {}), undefined);
    });
});
