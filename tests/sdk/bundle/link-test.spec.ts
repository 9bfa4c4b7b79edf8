import assert from "node:assert/strict";
import { type FetchRequest } from "@pulumi-static-export/sdk";
import { FakeClock } from "../../fake-clock.js";
import { ManualTimers } from "../support/manual-timers.js";
import { isLinkRefused, mayExpireEarly } from "@pulumi-static-export/sdk/internal";

const link = "https://bucket.example.com/se_42.tar.gz";

describe("mayExpireEarly", () => {
    for (const [source, query, expected] of [
        ["S3 with temporary credentials", "X-Amz-Expires=604800&X-Amz-Security-Token=t", true],
        ["S3 in lower case", "x-amz-security-token=t", true],
        ["an Azure user delegation key", "se=2026-11-27&skoid=0&sig=0", true],
        ["Google", "X-Goog-Credential=c&X-Goog-Expires=60", true],
        ["S3 with a permanent key", "X-Amz-Credential=c&X-Amz-Expires=604800", false],
        ["an Azure account key", "se=2026-11-27&sig=0", false],
        ["this project's service", "expires=1795176060&signature=0", false],
    ] as const) {
        it(`is ${expected} for a link of ${source}`, () => assert.equal(mayExpireEarly(`${link}?${query}`), expected));
    }

    it("is false for text that is not a link", () => assert.equal(mayExpireEarly("skoid=1"), false));
});

describe("isLinkRefused", () => {
    for (const [status, expected] of [
        [206, false],
        [200, false],
        [302, false],
        [400, true],
        [401, true],
        [403, true],
        [404, false],
        [503, false],
    ] as const) {
        it(`is ${expected} for ${status}`, async () => {
            const fetch = () => Promise.resolve({ status, headers: { get: () => null }, body: null });
            assert.equal(await isLinkRefused(link, { fetch }), expected);
        });
    }

    it("requests one byte, without the key", async () => {
        const requests: FetchRequest[] = [];
        await isLinkRefused(link, {
            fetch: (_url, request) => {
                requests.push(request);
                return Promise.resolve({ status: 206, headers: { get: () => null }, body: null });
            },
        });
        const [{ method, headers, redirect } = assert.fail()] = requests;
        assert.deepEqual([method, redirect, requests.length], ["GET", "manual", 1]);
        assert.deepEqual(Object.keys(headers).toSorted(), ["accept", "range", "user-agent"]);
        assert.equal(headers["range"], "bytes=0-0");
    });

    it("is false for an address that cannot be a link, without a request", async () => {
        const requests: string[] = [];
        const fetch = (url: string) => {
            requests.push(url);
            return Promise.resolve({ status: 403, headers: { get: () => null }, body: null });
        };
        assert.equal(await isLinkRefused("https://user:password@bucket.example.com/x", { fetch }), false);
        assert.deepEqual(requests, []);
    });

    it("is false without a connection", async () => {
        assert.equal(await isLinkRefused(link, { fetch: () => Promise.reject(new Error("no route")) }), false);
    });

    it("is false if the storage does not answer in time", async () => {
        assert.equal(await isLinkRefused(link, { fetch: () => new Promise(() => undefined), timeoutMs: 1 }), false);
    });

    it("waits for ten seconds by default", async () => {
        const timers = new ManualTimers();
        const clock = { ...new FakeClock(), startTimer: timers.startTimer };
        const result = isLinkRefused(link, { fetch: () => new Promise(() => undefined), clock });
        timers.advance(9_999);
        await new Promise(setImmediate);
        assert.equal(await Promise.race([result, Promise.resolve("waits")]), "waits");
        timers.advance(1);
        assert.equal(await result, false);
    });

    it("sends nothing to an address that is not http", async () => {
        assert.equal(await isLinkRefused("file:///etc/passwd", { fetch: () => assert.fail("a request") }), false);
    });

    it("rejects with the reason of an interruption", async () => {
        const signal = AbortSignal.abort(new Error("Ctrl-C"));
        await assert.rejects(isLinkRefused(link, { signal, fetch: () => assert.fail("a request") }), /Ctrl-C/);
    });
});
