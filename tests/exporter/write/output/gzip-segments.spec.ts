import assert from "node:assert/strict";
import { crc32, gunzipSync } from "node:zlib";
import fc from "fast-check";
import {
    combineChecksums,
    type GzipSegment,
    GzipSegments,
} from "../../../../exporter/src/write/output/gzip-segments.js";

const text = (seed: number, length: number) =>
    Buffer.from(Array.from({ length }, (_, at) => 97 + ((at * seed + (at >> 5)) % 17)));

/** Compresses a sequence of segments, some new and some repeated. */
async function compress(segments: readonly (Buffer | GzipSegment)[]) {
    const written: Buffer[] = [];
    const gzip = new GzipSegments((bytes) => void written.push(bytes));
    const made: GzipSegment[] = [];
    for (const segment of segments) {
        await gzip.beginSegment();
        if (Buffer.isBuffer(segment)) {
            await gzip.add([segment]);
            made.push(await (await gzip.endSegment()).whole);
        } else {
            await gzip.repeat(segment);
        }
    }
    await gzip.finish();
    await gzip.settle();
    return { archive: Buffer.concat(written), made };
}

describe("A gzip stream in segments", () => {
    const contents = [text(3, 50_000), text(5, 200), Buffer.alloc(0), text(7, 2_500_000), text(11, 90_000)];

    it("is a single valid gzip member with all of the content", async () => {
        const { archive } = await compress(contents);
        assert.ok(gunzipSync(archive).equals(Buffer.concat(contents)));
    });

    it("has identical bytes if some of the segments are reused", async () => {
        const { archive, made } = await compress(contents);
        for (const repeated of [
            [0, 1, 2, 3, 4],
            [0, 2, 4],
            [1, 3],
        ]) {
            const mixed = contents.map((content, at) => (repeated.includes(at) ? (made[at] as GzipSegment) : content));
            assert.ok((await compress(mixed)).archive.equals(archive), repeated.join(" "));
        }
    });

    it("compresses a segment independently of the previous segment if the previous segment was forgotten", async () => {
        const after = async (first: Buffer) => {
            const gzip = new GzipSegments(() => undefined);
            await gzip.add([first]);
            await gzip.forget();
            const before = await gzip.beginSegment();
            await gzip.add([text(5, 1000)]);
            const { compressed } = await (await gzip.endSegment()).whole;
            return [before, compressed.toString("hex")];
        };
        assert.deepEqual(await after(text(3, 500)), await after(text(7, 600)));
    });

    it("takes no more space than a single stream, because each segment refers to the previous segment", async () => {
        const noise = Buffer.from(Array.from({ length: 20_000 }, (_, at) => (at * at * 31 + at * 7) % 251));
        const { archive: once } = await compress([noise]);
        const { archive: twice } = await compress([noise, noise]);
        assert.ok(twice.length < once.length + 500, `${once.length} and ${twice.length} bytes`);
    });

    it("reports a write failure to the caller", async () => {
        const gzip = new GzipSegments(() => {
            throw new Error("full");
        });
        await assert.rejects(async () => {
            await gzip.add([text(3, 5_000_000)]);
            await gzip.finish();
        }, /full/);
        await gzip.settle();
    });
});

describe("combineChecksums", () => {
    it("returns the checksum of two concatenated segments", () => {
        fc.assert(
            fc.property(fc.uint8Array({ maxLength: 5000 }), fc.uint8Array({ maxLength: 5000 }), (one, other) => {
                const both = crc32(Buffer.concat([one, other]));
                assert.equal(combineChecksums(crc32(one), crc32(other), other.length), both);
            }),
        );
    });
});
