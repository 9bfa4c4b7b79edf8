import assert from "node:assert/strict";
import { contentTypeOf } from "@pulumi-static-export/sdk/publish";

describe("The content type of a published file", () => {
    for (const [name, type] of [
        ["captions.vtt", "text/vtt; charset=utf-8"],
        ["app.cjs", "text/javascript; charset=utf-8"],
        ["feed.xsl", "application/xslt+xml; charset=utf-8"],
        ["film.m3u8", "application/vnd.apple.mpegurl"],
        ["event.ICS", "text/calendar; charset=utf-8"],
        ["moving.apng", "image/apng"],
        ["photo.jxl", "image/jxl"],
        ["form.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
        ["unknown.toString", "application/octet-stream"],
        ["vtt", "application/octet-stream"],
    ] as const) {
        it(`of ${name} is ${type}`, () => {
            assert.equal(contentTypeOf(name), type);
        });
    }
});
