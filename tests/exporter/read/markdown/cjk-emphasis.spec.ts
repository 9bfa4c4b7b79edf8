import assert from "node:assert/strict";
import { exportPage } from "../../support/site-fixture.js";

describe("Emphasis next to Chinese, Japanese and Korean text", () => {
    const emphasised = {
        "**注意：**请先备份": "<strong>注意：</strong>请先备份",
        "中文**“引号”**文字": "中文<strong>“引号”</strong>文字",
        "日本語**「強調」**です": "日本語<strong>「強調」</strong>です",
        "한국어**강조(중요)**는": "한국어<strong>강조(중요)</strong>는",
        "**`code`**을 실행": "<strong><code>code</code></strong>을 실행",
        "**使用 `x`**请": "<strong>使用 <code>x</code></strong>请",
        "*重要！*說明": "<em>重要！</em>說明",
        "~~旧。~~新": "<del>旧。</del>新",
        "**[链接](https://a.example/)**。后": "<strong><a href",
        "**𠮷（注）**家": "<strong>𠮷（注）</strong>家",
    };
    for (const [source, html] of Object.entries(emphasised)) {
        it(`is shown: ${source}`, async () => {
            for (const file of ["a.md", "a.mdx"]) {
                const page = await exportPage(file, `${source}\n`);
                assert.ok(page.includes(html), page);
                assert.doesNotMatch(page, /\uFDD0/);
            }
        });
    }

    const unchanged = ["2 ** 3：4", "`**注意：**请`", "\\*注意：\\*请", "a**(b)**c", "** 注意 **"];
    for (const source of unchanged) {
        it(`does not appear elsewhere: ${source}`, async () => {
            const page = await exportPage("a.md", `${source}\n`);
            assert.doesNotMatch(page, /<(?:strong|em)>|\uFDD0/);
        });
    }

    it("stays in code as it is written", async () => {
        assert.match(await exportPage("a.md", "```\n**注意：**请\n```\n"), /\*\*注意：\*\*请/);
    });
});
