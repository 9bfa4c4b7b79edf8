import assert from "node:assert/strict";
import fc from "fast-check";
import { scaled } from "../scale.js";
import { hostileText } from "../service/support/hostile-text.js";
import { withAssistant } from "./support/ask-assistant.js";

const numRuns = scaled({ short: 30, long: 250 });

describe("A model that writes hostile text", function () {
    this.timeout(numRuns * 500 + 30_000);

    it("gets an answer to the reader that ends, and its searches never fail the server", async () => {
        const says = fc.oneof(hostileText, fc.array(hostileText, { minLength: 1, maxLength: 3 }));
        const calls = fc.oneof(
            fc.record({ calls: fc.constantFrom("search", "read_page"), with: fc.record({ query: hostileText }) }),
            fc.record({ calls: fc.constant("search"), with: fc.constant({}) }),
            fc.record({ calls: hostileText.map((name) => name.slice(0, 60)), with: fc.constant({ query: "clams" }) }),
        );
        const property = fc.asyncProperty(calls, says, hostileText, async (search, text, question) => {
            await withAssistant([search, { says: text }], async ({ ask, address }) => {
                const asked = question.slice(0, 3000);
                const { status, chunks } = await ask(asked.trim() === "" ? "Food?" : asked);
                assert.ok([200, 400].includes(status), `${status}`);
                assert.ok(status === 400 || chunks.at(-1)?.type === "finish");
                assert.equal((await fetch(`${address}/metrics`)).status, 200);
            });
        });
        await fc.assert(property, { numRuns, endOnFailure: true });
    });
});
