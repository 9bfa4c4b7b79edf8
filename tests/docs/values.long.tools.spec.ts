import assert from "node:assert/strict";
import { parseAllDocuments } from "yaml";
import { exported, render } from "../charts/support/render-chart.js";
import { codeBlocks, documents } from "./support/documents.js";

const blocks = documents.flatMap(codeBlocks);

describe("A code block on a page", () => {
    for (const { place, text } of blocks.filter(({ language }) => language === "yaml")) {
        it(`contains valid YAML: ${place}`, () => {
            const [error] = parseAllDocuments(text).flatMap(({ errors }) => errors);
            assert.ifError(error);
        });
    }

    for (const { place, text } of blocks.filter(({ language }) => language === "json")) {
        it(`contains valid JSON: ${place}`, () => {
            assert.doesNotThrow(() => void JSON.parse(text));
        });
    }

    for (const { place, text } of blocks.filter(({ title }) => title === "values.yaml")) {
        it(`passes the chart's validation, which rejects unknown keys and values: ${place}`, async () => {
            const [document] = parseAllDocuments(text);
            const values = document?.toJS() as { staticExport?: object };
            // A page need not repeat values that another page has shown; `…` matches the rest of a link.
            const { staticExport = exported.staticExport, ...rest } = values;
            const link = JSON.parse(
                JSON.stringify(staticExport).replace("https://…", exported.staticExport.bundleUrl),
            ) as object;
            const manifests = await render({ ...rest, staticExport: link });
            assert.ok(manifests.has("Deployment/docs-documentation-site"));
        });
    }
});
