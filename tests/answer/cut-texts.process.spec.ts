import assert from "node:assert/strict";
import { createCutTextSite, emoji } from "./support/cut-text-site.js";
import { serveSite } from "./support/answering.js";
import { withAnsweredSite } from "./support/answered-site.js";
import { withAssistant } from "./support/ask-assistant.js";

describe("A long text with emoji", () => {
    it("is read in parts that begin and end between two emoji", () =>
        withAnsweredSite(createCutTextSite(), (site) =>
            serveSite(site, {}, async ({ connect }) => {
                const { call } = await connect("/mcp", "auto");
                let whole = "";
                for (let offset: number | undefined = 0; offset !== undefined;) {
                    const part = await call("read_page", { path: "/long", offset });
                    assert.ok(part.isWellFormed(), `at ${offset}`);
                    const [more, next] = /\n\n\(\d+ more characters: continue with offset (\d+)\.\)$/.exec(part) ?? [];
                    const text = part.slice(0, part.length - (more?.length ?? 0));
                    assert.equal((text.match(/\u200d/g)?.length ?? 0) % 3, 0, `whole families at ${offset}`);
                    whole += text;
                    offset = next === undefined ? undefined : Number(next);
                }
                assert.equal(whole, createCutTextSite()["long.md"]);
            }),
        ));

    it("has excerpts that end between two emoji", () =>
        withAnsweredSite(createCutTextSite(), async (site) => {
            for (const query of ["before", "middle"]) {
                const hits = await site.search({ query, max: 3 });
                assert.ok(hits.length > 0, query);
                for (const { excerpt } of hits) {
                    assert.ok(excerpt.isWellFormed());
                    assert.match(excerpt.replaceAll(emoji, ""), /^…?[\w :.]*…?$/);
                }
            }
        }));

    it("is never cut inside an emoji in the conversation that the model reads", () =>
        withAssistant([{ says: "NO_ANSWER" }], async ({ ask, endpoint }) => {
            const first = { role: "user", parts: [{ type: "text", text: "What is a walrus?" }] };
            const earlier = { role: "assistant", parts: [{ type: "text", text: `a${"😀".repeat(5000)}` }] };
            const question = { role: "user", parts: [{ type: "text", text: "What is \ud83d?" }] };
            await ask("", { messages: [first, earlier, question] });
            const sent = JSON.stringify(endpoint.asked[0]?.messages);
            assert.match(sent, /😀/);
            assert.doesNotMatch(sent, /\\ud[89a-f]/i);
        }));
});

describe("A request with half of an emoji", () => {
    it("is answered with text that every program can read", () =>
        withAnsweredSite(createCutTextSite(), (site) =>
            serveSite(site, {}, async ({ connect, post }) => {
                const { call } = await connect("/mcp", "auto");
                assert.match(await call("read_page", { path: "/a\ud83d" }), /^There is no page \/a\ufffd\./);
                assert.deepEqual(await post("/v1/page/x", { path: "a\ud83d" }), [
                    404,
                    { error: "There is no page a\ufffd." },
                ]);
            }),
        ));
});
