import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { writeReference } from "../../../dev/api-reference/write.js";

const root = new URL("../../../", import.meta.url);

describe("The API reference", () => {
    let pages: Map<string, string>;

    before(function () {
        this.timeout(120_000);
        pages = writeReference();
    });

    it("matches the doc comments: run `npm run api-reference` after changing them", async () => {
        for (const [file, text] of pages) {
            assert.equal(await readFile(new URL(file, root), "utf8"), text, file);
        }
    });

    it("lists every resource with its inputs, outputs and defaults", () => {
        const text = pages.get("docs/reference/api-resources.md") ?? "";
        for (const name of ["StaticExportBundle", "BundleMirror", "BundleCheck", "AgentJob", "DocumentationSite"]) {
            assert.match(text, new RegExp(`^## ${name}$`, "m"));
            assert.match(text, new RegExp(`^## ${name}Args$`, "m"));
        }
        assert.match(text, /^\| `domain`, required +\| `pulumi\.Input<string>` +\| Host name/m);
        assert.match(text, /^\| `timeoutSeconds` .* Default: 3600\./m);
        assert.match(text, /^\| `bundleUrl` +\| `pulumi\.Output<string>` /m);
    });

    it("lists every class of the SDK, and no internal classes", () => {
        const text = pages.get("docs/reference/api-sdk.md") ?? "";
        for (const name of ["AdminClient", "StaticExports", "HttpError", "downloadBundle"]) {
            assert.match(text, new RegExp(`^\\| \`${name}\` \\| \\w`, "m"));
        }
        assert.doesNotMatch([...pages.values()].join("\n"), /^\| `(__|#)/m);
    });

    it("describes every entry", () => {
        for (const [file, text] of pages) {
            const silent = text.split(/^## /m).filter((section) => /^\w+\n\n(\||```)/.test(section));
            assert.deepEqual(
                silent.map((section) => section.split("\n")[0]),
                [],
                file,
            );
        }
    });
});
