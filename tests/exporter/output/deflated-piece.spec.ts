import assert from "node:assert/strict";
import { crc32, gunzipSync } from "node:zlib";
import fc from "fast-check";
import { combineCrc, deflatePiece, gzipHeader, gzipTrailer } from "../../../exporter/src/output/deflated-piece.js";

describe("pieces of a gzip stream", () => {
    it("are one gzip member in a row, whatever they hold and in whatever way they are kept", async () => {
        const level = fc.constantFrom("text" as const, "compressed" as const);
        const piece = fc.tuple(fc.uint8Array({ maxLength: 300 }), level);
        await fc.assert(
            fc.asyncProperty(fc.array(piece, { maxLength: 5 }), async (contents) => {
                let crc = 0;
                let size = 0;
                const deflated: Buffer[] = [];
                for (const [content, kept] of contents) {
                    const done = await deflatePiece(Buffer.from(content), kept);
                    deflated.push(done.deflated);
                    crc = combineCrc(crc, done.crc, done.size);
                    size += done.size;
                }
                const whole = Buffer.concat(contents.map(([content]) => content));
                assert.equal(crc, crc32(whole));
                assert.ok(gunzipSync(Buffer.concat([gzipHeader, ...deflated, gzipTrailer(crc, size)])).equals(whole));
            }),
        );
    });
});
