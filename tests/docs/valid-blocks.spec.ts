import assert from "node:assert/strict";
import { parseAllDocuments } from "yaml";
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
});
