import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./support/documents.js";

describe("Comments that cite the contract", () => {
    const contract = readFileSync(join(root, "docs/reference/admin-api.md"), "utf8");
    const headings = [...contract.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading);
    const files = execFileSync("git", ["ls-files", "*.ts", "*.js", "*.mjs"], { cwd: root, encoding: "utf8" })
        .trim()
        .split("\n");
    const texts = files
        .filter((file) => !file.startsWith("tests/"))
        .map((file) => [file, readFileSync(join(root, file), "utf8")]);

    it("cite a page that exists in this checkout", () => {
        const elsewhere = texts.filter(([, text = ""]) =>
            /(?<!docs\/reference\/|\]\(\.\/)\b(admin-api|published-api)\.md/.test(text),
        );
        assert.deepEqual(
            elsewhere.map(([file]) => file),
            [],
        );
    });

    it("cite headings that the page contains", () => {
        const cited = texts.flatMap(([file, text = ""]) =>
            [...text.matchAll(/docs\/reference\/admin-api\.md, "([^"]+)"/g)].map(([, heading = ""]) => ({
                file,
                heading: heading.replace(/\s+\*\s+/g, " "),
            })),
        );
        assert.ok(cited.length > 3, "no comment cites the contract any more");
        assert.deepEqual(
            cited.filter(({ heading }) => !headings.includes(heading)),
            [],
        );
    });
});
