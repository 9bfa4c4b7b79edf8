import assert from "node:assert/strict";
import { parseLinkExpiry } from "@pulumi-static-export/sdk/internal";

const link = "https://bucket.example.com/se_42.tar.gz";

describe("parseLinkExpiry", () => {
    for (const [source, query, expected] of [
        ["S3", "X-Amz-Date=20261120T120000Z&X-Amz-Expires=604800&X-Amz-Signature=0", "2026-11-27T12:00:00.000Z"],
        ["S3 in lower case", "x-amz-date=20261120T120000Z&x-amz-expires=60", "2026-11-20T12:01:00.000Z"],
        ["Google", "X-Goog-Date=20261120T120000Z&X-Goog-Expires=60", "2026-11-20T12:01:00.000Z"],
        ["Azure", "sv=2024-11-04&se=2026-11-20T12%3A01%3A00Z&sig=0", "2026-11-20T12:01:00.000Z"],
        ["Azure with fractions", "se=2026-11-20T12:01:00.1234567Z", "2026-11-20T12:01:00.000Z"],
        ["Azure without seconds", "se=2026-11-20T12:01Z", "2026-11-20T12:01:00.000Z"],
        ["Azure with a date only", "se=2026-11-20", "2026-11-20T00:00:00.000Z"],
        ["a far date", "Expires=12345678901", "2361-03-21T19:15:01.000Z"],
        ["CloudFront", "Expires=1795176060&Signature=0", "2026-11-20T12:01:00.000Z"],
        ["this project's service", "expires=1795176060&signature=0", "2026-11-20T12:01:00.000Z"],
    ] as const) {
        it(`reads the expiry from a link of ${source}`, () => {
            assert.equal(parseLinkExpiry(`${link}?${query}`)?.toISOString(), expected);
        });
    }

    for (const query of [
        "",
        "X-Amz-Date=20261120T120000Z",
        "X-Amz-Expires=60",
        "X-Amz-Date=20261120T120000Z&X-Amz-Expires=-60",
        "X-Amz-Date=20261120T120000Z&X-Amz-Expires=soon",
        "X-Amz-Date=20261131T120000Z&X-Amz-Expires=60",
        "X-Amz-Date=2026-11-20T12:00:00Z&X-Amz-Expires=60",
        "se=tomorrow",
        "se=2026-02-30T00:00:00Z",
        "Expires=Fri,%2020%20Nov%202026",
        "Expires=-1",
        "Expires=123456789012",
        "Expires=x1795176060",
        "Expires=1795176060x",
        "X-Amz-Date=20261120T120000Z&X-Amz-Expires=1234567890",
        "X-Amz-Date=20261120T120000Z&X-Amz-Expires=x60",
        "X-Amz-Date=20261120T120000Z&X-Amz-Expires=60x",
        "X-Amz-Date=x20261120T120000Z&X-Amz-Expires=60",
        "X-Amz-Date=20261120T120000Zx&X-Amz-Expires=60",
        "X-Amz-Date=20261120T126000Z&X-Amz-Expires=60",
        "se=x2026-11-20",
        "se=2026-11-20x",
        "se=2026-11-20T12:01:00.Z",
        "se=2026-11-20T12:01:00.xZ",
        "se=2026-11-20T12:01:0Z",
    ]) {
        it(`finds no expiry in the query '${query}'`, () => {
            assert.equal(parseLinkExpiry(`${link}?${query}`), undefined);
        });
    }

    it("finds no expiry in text that is not an address", () => {
        assert.equal(parseLinkExpiry("se_42.tar.gz?Expires=1795176060"), undefined);
    });
});
