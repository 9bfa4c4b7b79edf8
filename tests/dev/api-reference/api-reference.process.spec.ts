import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { Described } from "../../../dev/api-reference/describe-module.js";
import { describeResources, pageOf, writeReference } from "../../../dev/api-reference/write.js";

const root = new URL("../../../", import.meta.url);

describe("The API reference", () => {
    let pages: Map<string, string>;
    let resources: string;
    let described: Described[];

    before(function () {
        this.timeout(120_000);
        pages = writeReference();
        resources = pages.get("docs/reference/api-resources.md") ?? "";
        described = describeResources();
    });

    it("matches the doc comments: run `npm run references` after changing them", async () => {
        for (const [file, text] of pages) {
            assert.equal(await readFile(new URL(file, root), "utf8"), text, file);
        }
    });

    it("names every input, output and field, here or on the resource's page", async () => {
        for (const { name, members, kind } of described) {
            const page = pageOf[name];
            const text =
                page === undefined ? resources : await readFile(new URL(`docs/reference/${page}`, root), "utf8");
            const shown = members.filter(({ doc, inheritedFrom }) =>
                // An output without a comment is also an input.
                kind === "class" ? doc !== "" : page !== undefined || inheritedFrom === undefined,
            );
            for (const member of shown) {
                assert.match(text, new RegExp(`\\b${member.name}\\b`), `${name}.${member.name}`);
            }
        }
    });

    it("shows an input with its type, whether it is optional, its meaning and its default", () => {
        assert.match(resources, /^\| `projectId: string` \| The project/m);
        assert.match(resources, /^\| `timeoutSeconds\?: number` .* Default: 3600\./m);
        assert.match(resources, /^\| `prLink: string \\\| undefined` \| URL/m);
    });

    it("shows the fields of a type that only one input has with that input", () => {
        assert.match(resources, /^\| `purge\.cloudFront\.distributionId: string` \| The id/m);
        assert.doesNotMatch(resources, /^## CloudFrontPurge/m);
    });

    it("names inherited inputs, with a link to the type that describes them", () => {
        assert.match(
            resources,
            /^Also, of \[StaticExportBundleArgs\]\(\.\/static-export-bundle\.md\): `domain`, `version`/m,
        );
    });

    it("lists every class and function of the SDK, and no internal classes", () => {
        const text = pages.get("docs/reference/api-sdk.md") ?? "";
        for (const name of ["AdminClient", "StaticExports", "HttpError", "downloadBundle"]) {
            assert.match(text, new RegExp(`^\\| \`${name}\` \\| \\w`, "m"));
        }
        assert.doesNotMatch([...pages.values()].join("\n"), /^\| `(__|#)/m);
    });

    it("describes every class and function", () => {
        const silent = described.filter(({ kind, doc }) => (kind === "class" || kind === "function") && doc === "");
        assert.deepEqual(
            silent.map(({ name }) => name),
            [],
        );
    });
});
