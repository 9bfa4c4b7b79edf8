import assert from "node:assert/strict";
import fc from "fast-check";
import { scaled } from "../../../scale.js";
import { countParts } from "./counted-pages.js";
import { randomChannels } from "./random-channels.js";

describe("The pages of a random AsyncAPI document", () => {
    it("contain each property, parameter, value, description and example, or a warning does", async () => {
        await fc.assert(
            fc.asyncProperty(randomChannels, async ({ files, entry }) => {
                const { lost, unlinked } = await countParts(files, entry);
                assert.deepEqual({ lost, unlinked }, { lost: [], unlinked: [] });
            }),
            { numRuns: scaled({ short: 25, long: 250 }), endOnFailure: true },
        );
    });
});
