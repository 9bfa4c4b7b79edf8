import assert from "node:assert/strict";
import { access } from "node:fs/promises";
import { ofAuthors, ofHtml, ofNativeMdx, rewrite } from "../../../../exporter/src/read/markdown/rewrites.js";
import { PageText } from "../../../../exporter/src/read/markdown/page-text/page-text.js";

const rewrites = [...ofAuthors, ...ofNativeMdx, ...ofHtml];

describe("Each rewrite of a page", () => {
    it("has an oracle that exists", async () => {
        for (const { oracle } of rewrites) {
            await access(new URL(`${oracle}.spec.ts`, import.meta.url));
        }
    });

    it("leaves code, comments and front matter as they are written", () => {
        const kept = [
            "---\ntitle: 中**文**。{% hint %}\n---\n",
            '```md\n{% hint style="info" %}\n| a |\n| --- |\n| `b|c` |\n**注意：**请先 <your-key> $5\n</Note>\n```\n',
            "`` {% x %} ` <your-key> **注意：**请先 ``",
            "<!-- {% x %} **注意：**请先 <your-key> -->",
        ];
        for (const isMdx of [false, true]) {
            const { text } = rewrite(new PageText(`${kept.join("\n")}\n`, isMdx), rewrites, () => undefined);
            kept.forEach((part) => assert.ok(text.includes(part), part));
        }
    });
});
