import assert from "node:assert/strict";
import { ByteBuffer } from "../../../exporter/src/plan/byte-buffer.js";

describe("a buffer of bytes", () => {
    it("holds bytes and texts one after the other, also more than it was made for", () => {
        const buffer = new ByteBuffer(4);
        const texts = ["", "ab", "é漢😀", "x".repeat(5000), "\ud800", "end"];
        texts.forEach((text) => buffer.addText(text));
        buffer.add(Buffer.from([0, 255]));
        const expected = Buffer.concat([...texts.map((text) => Buffer.from(text)), Buffer.from([0, 255])]);
        assert.equal(buffer.length, expected.length);
        assert.deepEqual(buffer.take(), expected);
    });

    it("begins anew when what it holds is taken, and leaves that as it was", () => {
        const buffer = new ByteBuffer(16);
        buffer.addText("first");
        const first = buffer.take();
        assert.equal(buffer.length, 0);
        buffer.addText("other");
        assert.equal(buffer.take().toString(), "other");
        assert.equal(first.toString(), "first");
    });
});
