import assert from "node:assert/strict";
import { openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PictureSizes, type PictureSize } from "../../../../exporter/src/read/files/picture-sizes.js";
import { withPictureSizes } from "../../../../exporter/src/write/pages/page-writer.js";
import { withExport, withFolder } from "../../support/site-fixture.js";

const gif = "GIF89a\x40\x00\x30\x00";
const png = Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1"),
    Buffer.from([0, 0, 3, 32, 0, 0, 2, 88]),
]);
const webp = Buffer.from("RIFF\0\0\0\0WEBPVP8X\0\0\0\0\x10\0\0\0\x63\0\0\x31\0\0", "latin1");

/** Returns a photograph from a camera in portrait orientation, with this many bytes of metadata. */
function photo(cameraBytes: number): Buffer {
    const exif = Buffer.concat([
        Buffer.from("Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0", "latin1"),
        Buffer.alloc(cameraBytes),
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(exif.length + 2);
    const frame = Buffer.from([0xff, 0xc0, 0, 17, 8, 0, 100, 0, 200, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]);
    return Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe1]), length, exif, frame]);
}

/** Returns the size of a picture with these bytes. */
async function sizeOf(name: string, bytes: Uint8Array): Promise<PictureSize | undefined> {
    return withFolder((folder) => {
        const path = join(folder, name);
        writeFileSync(path, bytes);
        return Promise.resolve(new PictureSizes({ open: () => openSync(path, "r") }).of(name));
    });
}

describe("the size of a picture's file", () => {
    it("is read from PNG, GIF, WebP and JPEG, as displayed", async () => {
        assert.deepEqual(await sizeOf("a.png", png), { width: 800, height: 600 });
        assert.deepEqual(await sizeOf("a.GIF", Buffer.from(gif)), { width: 64, height: 48 });
        assert.deepEqual(await sizeOf("a.webp", webp), { width: 100, height: 50 });
        assert.deepEqual(await sizeOf("a.jpg", photo(30_000)), { width: 100, height: 200 });
    });

    it("is unknown for other file types, and for truncated or damaged pictures", async () => {
        assert.equal(await sizeOf("a.txt", png), undefined);
        for (const [name, bytes] of [
            ["a.png", png],
            ["a.jpg", photo(10)],
            ["a.webp", webp],
        ] as const) {
            for (let length = 0; length < bytes.length - 12; length += 5) {
                assert.equal(await sizeOf(name, bytes.subarray(0, length)), undefined, `${name} ${length}`);
            }
        }
        assert.equal(await sizeOf("a.png", Buffer.concat([png.subarray(0, 16), Buffer.alloc(8, 0xff)])), undefined);
        assert.equal(await sizeOf("a.png", Buffer.concat([png.subarray(0, 16), Buffer.alloc(8)])), undefined);
    });

    it("does not require a long search if the file contains no size", async () => {
        for (const filler of [0x00, 0x01, 0xff]) {
            const hostile = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(1_000_000, filler)]);
            const began = process.cpuUsage();
            assert.equal(await sizeOf("a.jpg", hostile), undefined);
            assert.ok(process.cpuUsage(began).user < 2_000_000);
        }
    });
});

describe("pictures of a page", () => {
    const sized = (html: string) =>
        withPictureSizes(html, "guides/a", (file) =>
            file === "img/a b.png" ? { width: 800, height: 600 } : undefined,
        );

    it("use the size of their files, or the height that matches their width", () => {
        assert.equal(
            sized('<p><img src="../img/a%20b.png" alt=""></p>'),
            '<p><img src="../img/a%20b.png" alt="" width="800" height="600"></p>',
        );
        assert.equal(
            sized('<img src="../img/a%20b.png?v=1" width="400">'),
            '<img src="../img/a%20b.png?v=1" width="400" height="300">',
        );
    });

    it("keep the size that the author sets", () => {
        for (const attributes of [
            'height="20"',
            'width="50%"',
            'style="max-width:20rem"',
            'class="mx-auto h-8"',
            'class="md:w-1/2"',
        ]) {
            const tag = `<img src="../img/a%20b.png" ${attributes}>`;
            assert.equal(sized(tag), tag);
        }
    });

    it("stay unchanged if the size is unknown", () => {
        for (const tag of [
            '<img src="https://example.com/img/a%20b.png">',
            '<img src="b.png">',
            '<img alt="">',
            '<img src="%">',
        ]) {
            assert.equal(sized(tag), tag);
        }
    });

    it("use the file's size in the text, in cards, and next to the text", async () => {
        const source = '![A](/a.gif)\n\n<Card title="C" img="/a.gif" />\n\n<Panel>\n![B](/a.gif)\n</Panel>\n';
        await withExport({ "index.mdx": source, "a.gif": gif }, async ({ read }) => {
            assert.equal((await read("index.html")).match(/<img [^<>]* width="64" height="48">/g)?.length, 3);
        });
    });
});
