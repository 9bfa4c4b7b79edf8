import assert from "node:assert/strict";
import { parseRetryAfter } from "@pulumi-static-export/sdk/internal";

const nowMs = Date.UTC(2026, 10, 20, 12, 0, 0);

describe("parseRetryAfter", () => {
    for (const [value, expectedMs] of [
        ["0", 0],
        ["7", 7_000],
        [" 7 ", 7_000],
        ["86400", 86_400_000],
        ["Fri, 20 Nov 2026 12:00:30 GMT", 30_000],
        ["Fri, 20 Nov 2026 12:59:60 GMT", 3_599_000],
        ["Fri, 20 Nov 2026 23:00:00 GMT", 11 * 3_600_000],
        ["Thu, 01 Jan 2032 00:00:00 GMT", Date.UTC(2032, 0, 1) - nowMs],
        ["Sun, 29 Feb 2032 00:00:00 GMT", Date.UTC(2032, 1, 29) - nowMs],
    ] as const) {
        it(`reads ${JSON.stringify(value)} as ${expectedMs} ms`, () => {
            assert.equal(parseRetryAfter(value, nowMs), expectedMs);
        });
    }

    it("returns no wait for a date in the past", () => {
        assert.equal(parseRetryAfter("Fri, 20 Nov 2026 11:59:59 GMT", nowMs), 0);
    });

    for (const value of [
        undefined,
        null,
        "",
        "-1",
        "+1",
        "1.5",
        "1e3",
        "0x10",
        "7s",
        "7, 8",
        "12345678901",
        "soon",
        "2026-11-20T12:00:30Z",
        "Fri, 20 Nov 2026 12:00:30",
        "Fri, 20 Nov 2026 12:00:30 CET",
        "Fri, 31 Nov 2026 12:00:30 GMT",
        "Fri, 20 Nox 2026 12:00:30 GMT",
        "Fri, 20 Nov 2026 24:00:30 GMT",
        "Fri, 20 Nov 2026 12:61:30 GMT",
        "Fri, 20 Nov 2026 12:00:61 GMT",
        "x Fri, 20 Nov 2026 12:00:30 GMT",
        "Friday, 20-Nov-26 12:00:30 GMT",
        "Fri Nov 20 12:00:30 2026",
    ]) {
        it(`ignores ${JSON.stringify(value)}`, () => {
            assert.equal(parseRetryAfter(value, nowMs), undefined);
        });
    }
});
