import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const read = (file: string) => readFileSync(join(root, file), "utf8");
const page = read("dev/architecture/README.md");

const namedFiles = (text: string) =>
    [
        ...text.matchAll(
            /`((?:contract|sdk|provider|plugin|policy|exporter|answer|service|cli|charts|dev|tests)\/[^`\s]*)`/g,
        ),
    ].map(([, file]) => file!);
const missing = (files: readonly string[]) => files.filter((file) => !existsSync(join(root, file)));

describe("The architecture page", () => {
    it("names only files and folders that exist", () => {
        const files = namedFiles(page);
        assert.ok(files.length > 60, `${files.length} files`);
        assert.deepEqual(missing(files), []);
    });

    it("names the code of each surprising choice, so that a choice cannot outlive its code", () => {
        const [, choices = ""] = page.split("## Surprising choices");
        const isCode = (file: string) => !file.startsWith("tests/") && !file.startsWith("dev/");
        const titles = choices.split(/^\*\*/m).slice(1);
        assert.ok(titles.length > 5, `${titles.length} choices`);
        assert.deepEqual(
            titles.filter((choice) => !namedFiles(choice).some(isCode)).map((choice) => choice.split("**")[0]),
            [],
        );
    });

    it("draws an arrow between packages only if the import graph contains the arrow", () => {
        const graph = read("dev/architecture/import-graph.md");
        const packages = { roles: "service", exports: "service" } as Record<string, string>;
        const drawn = [...page.matchAll(/^ {4}(\w+)(?:\[.*?\])? --> (\w+)/gm)].map(([, from = "", to = ""]) =>
            [from, to].map((each) => `${packages[each] ?? each}_room`).join(" --> "),
        );
        assert.ok(drawn.length >= 5, drawn.join(", "));
        assert.deepEqual(
            drawn.filter((arrow) => !graph.includes(`    ${arrow}\n`)),
            [],
        );
    });
});
