import assert from "node:assert/strict";
import { type Files } from "../exporter/support/site-fixture.js";
import { type Step } from "./support/scripted-endpoint.js";
import { withAssistant } from "./support/ask-assistant.js";

const start: Step = { calls: "read_page", with: { path: "/guides/start" } };
const cited = "Install it: [Start](/guides/start).";
const advice = "The documentation does not seem to answer this. Ask [help@example.com](mailto:help@example.com).";

describe("The text that readers see", () => {
    it("contains no reasoning of the model", () =>
        withAssistant(
            [start, { says: ["<th", "ink>The reader wants", " secrets.</think>", cited] }],
            async ({ ask }) => {
                assert.equal((await ask("How?")).text, cited);
            },
        ));

    it("contains no reasoning whose beginning is not marked", () =>
        withAssistant([start, { says: [`The reader wants secrets.</think>${cited}`] }], async ({ ask }) => {
            assert.equal((await ask("How?")).text, cited);
        }));

    for (const [model, says] of [
        ["with an end mark only", ["First paragraph.\n\nSECRET", " second.\n\n</th", "ink>\n\n"]],
        [
            "of gpt-oss",
            ["<|chan", "nel|>analysis<|message|>SECRET\n\n<|end|><|start|>assistant<|channel|>final<|mess", "age|>"],
        ],
        ["of MiniMax", ["<mm:th", "ink>SECRET\n\n", "x</mm:think>"]],
        ["with Gemma's marks", ["<|channel>thought\nSECRET\n\nx<chan", "nel|>"]],
    ] as const) {
        it(`contains no reasoning in any answer of a model ${model}`, () =>
            withAssistant([start, { says: [...says, cited] }, start, { says: [...says, cited] }], async ({ ask }) => {
                assert.deepEqual([(await ask("How?")).text, (await ask("How?")).text], [cited, cited]);
            }));
    }

    it("contains no reasoning of a model that was stopped before its answer", () =>
        withAssistant(
            [start, { says: `x</think>${cited}` }, start, { says: ["SECRET\n\n", "SECRET"], finish: "length" }],
            async ({ ask }) => {
                await ask("How?");
                assert.equal((await ask("How?")).text, advice);
            },
        ));

    it("contains marks of reasoning in code", () =>
        withAssistant([start, { says: [`${cited} It ends at \`</think>`, "`."] }], async ({ ask }) => {
            assert.equal((await ask("How?")).text, `${cited} It ends at \`</think>\`.`);
        }));

    it("is streamed from the first answer, if the endpoint separates reasoning", () =>
        withAssistant(
            [start, { reasons: "SECRET", says: [`${cited}\n\nSecond`, " part"], breaksOff: true }],
            async ({ ask }) => assert.equal((await ask("How?")).text, cited),
        ));

    it("is streamed, once an answer was complete without reasoning", () =>
        withAssistant(
            [start, { says: cited }, start, { says: [`${cited}\n\nSecond`, " part"], breaksOff: true }],
            async ({ ask }) => {
                await ask("How?");
                const { text, raw } = await ask("How?");
                assert.equal(text, cited);
                assert.match(raw, /not answering at the moment/);
            },
        ));

    it("contains no NO_ANSWER after a sentence, but the support address", () =>
        withAssistant([start, { says: ["The pages do not say. NO_", "ANSWER"] }], async ({ ask, questions }) => {
            const { text } = await ask("How?");
            assert.equal(text, `The pages do not say.\n\n${advice}`);
            assert.deepEqual(questions, [["How?", false]]);
        }));

    it("contains longer names that begin with the same letters", () =>
        withAssistant([start, { says: [`${cited} Set \`NO_ANSWER`, "_TIMEOUT` and NO_ONE."] }], async ({ ask }) => {
            assert.match((await ask("How?")).text, /`NO\\?_ANSWER\\?_TIMEOUT` and NO\\?_ONE\.$/);
        }));
});

describe("A long conversation", () => {
    it("is answered from the last messages, even if a client sends hundreds, and half a megabyte", () =>
        withAssistant([start, { says: cited }], async ({ ask, endpoint }) => {
            const messages = Array.from({ length: 401 }, (_, at) => ({
                role: at % 2 === 0 ? "user" : "assistant",
                parts: [{ type: "step-start" }, { type: "text", text: `message ${at} ${"x".repeat(1200)}` }],
            }));
            const { status, text } = await ask("", { messages });
            assert.deepEqual([status, text], [200, cited]);
            const sent = JSON.stringify(endpoint.asked[0]?.messages);
            assert.match(sent, /message 400 /);
            assert.match(sent, /message 391 /);
            assert.doesNotMatch(sent, /message 300 /);
        }));
});

describe("The budget of an answer", () => {
    const long: Files = {
        "docs.json": JSON.stringify({ name: "N", navigation: { pages: ["index", "long"] } }),
        "index.md": "# Home\n",
        "long.md": `# Long\n\n${"walrus ".repeat(10_000)}\n`,
    };

    it("holds for searches and pages that the model requests at the same time", () => {
        const calls: Step = { callsAll: Array.from({ length: 60 }, () => ["read_page", { path: "/long" }] as const) };
        return withAssistant(
            [calls, { says: "See [Long](/long)." }],
            async ({ ask, endpoint }) => {
                const { text } = await ask("How?");
                assert.equal(text, "See [Long](/long).");
                assert.ok(endpoint.toolTexts.length < 250_000, String(endpoint.toolTexts.length));
                assert.match(endpoint.toolTexts, /Answer from the texts that you have/);
            },
            { maxTokens: 50_000 },
            long,
        );
    });

    it("ends the text of an endpoint that ignores the limit for tokens", () =>
        withAssistant(
            [start, { says: [`${cited}\n\n`, ...Array.from({ length: 3000 }, () => "word ".repeat(20))] }],
            async ({ ask }) => {
                const { text, chunks } = await ask("How?");
                assert.ok(text.startsWith(cited) && text.length < 30_000, String(text.length));
                assert.equal(chunks.at(-1)?.type, "finish");
            },
        ));
});

describe("The assistant on a page in another language", () => {
    const divided: Files = {
        "docs.json": JSON.stringify({
            name: "N",
            navigation: {
                languages: ["en", "fr"].map((language) => ({
                    language,
                    versions: ["v2", "v1"].map((version) => ({ version, pages: [`${language}/${version}`] })),
                })),
            },
        }),
        ...Object.fromEntries(
            ["en/v2", "en/v1", "fr/v2", "fr/v1"].map((page) => [
                `${page}.md`,
                `# Page\n\nWalrus ${page.replace("/", " ")}.\n`,
            ]),
        ),
    };
    const found = async (filter: object, input: object) => {
        let texts = "";
        const steps: Step[] = [{ calls: "search", with: { query: "walrus", ...input } }, { says: "NO_ANSWER" }];
        await withAssistant(
            steps,
            async ({ ask, endpoint }) => {
                await ask("Walrus?", filter);
                texts = endpoint.toolTexts;
            },
            {},
            divided,
        );
        return ["/en/v2", "/en/v1", "/fr/v2", "/fr/v1"].filter((path) => texts.includes(`${path}\\n`));
    };

    it("searches the language and version of the page, unless the model names others", async () => {
        assert.deepEqual(await found({}, {}), ["/en/v2"]);
        assert.deepEqual(await found({ filter: { language: "fr", version: "v1" } }, {}), ["/fr/v1"]);
        assert.deepEqual(await found({ filter: { language: "fr", version: "v1" } }, { version: "v2" }), ["/fr/v2"]);
        assert.deepEqual(await found({ filter: { language: "fr" } }, { language: "", version: null }), ["/fr/v2"]);
    });

    it("gets both from the page", () =>
        withAssistant(
            [start],
            async ({ outDir }) => {
                const { readFile } = await import("node:fs/promises");
                const html = await readFile(`${outDir}/fr/v1.html`, "utf8");
                assert.ok(
                    html.includes(
                        ' data-filter="{&quot;language&quot;:&quot;fr&quot;,&quot;version&quot;:&quot;v1&quot;}"',
                    ),
                );
            },
            {},
            divided,
        ));
});
