import assert from "node:assert/strict";
import { RequestLimits } from "../../answer/src/assistant/request-limits.js";
import { withAssistant } from "./support/ask-assistant.js";
import { type Step } from "./support/scripted-endpoint.js";

const search: Step = { calls: "search", with: { query: "clams" } };
const good: Step = { says: "[Clams](/guides/start)." };
const sorry = "The assistant is not answering at the moment. Search the pages instead.";

describe("The assistant, when its endpoint fails,", () => {
    const cases: [title: string, steps: Step[], says: RegExp][] = [
        ["says so for an error", [{ status: 401 }], /^The assistant's endpoint answered with status 401\.$/],
        ["says so for an answer that breaks off", [search, { says: "Feed", breaksOff: true }], /endpoint failed: \w+/],
        ["says so for an answer that takes too long", [{ says: "Well", hangs: true }], /more than 0\.3 seconds/],
    ];
    for (const [title, steps, says] of cases) {
        it(`${title}, and reveals neither the key nor the question`, () =>
            withAssistant(
                steps,
                async ({ ask, log, questions }) => {
                    const { status, chunks, raw } = await ask("My secret question");
                    assert.equal(status, 200);
                    assert.deepEqual(
                        chunks.filter(({ type }) => type === "error").map(({ errorText }) => errorText),
                        [sorry],
                    );
                    assert.match(log.join("\n"), says);
                    assert.doesNotMatch(raw + log.join("\n"), /s3cr3t|secret/);
                    assert.deepEqual(questions, []);
                },
                title.includes("too long") ? { maxSeconds: 0.3 } : {},
            ));
    }

    it("reports that the endpoint is unreachable", () =>
        withAssistant(
            [good],
            async ({ ask, log }) => {
                assert.equal((await ask("Food?")).chunks.find(({ type }) => type === "error")?.errorText, sorry);
                assert.match(log.join("\n"), /endpoint failed: ECONNREFUSED/);
            },
            { endpoint: { address: "http://127.0.0.1:1/v1", model: "m" } },
        ));
});

describe("An assistant with limits", () => {
    it("limits the questions per minute from each address that the proxy reports", () =>
        withAssistant(
            [search, good],
            async ({ ask }) => {
                const from = (address: string) => ask("Food?", {}, { "x-forwarded-for": address });
                assert.equal((await from("forged, 10.0.0.1")).status, 200);
                const refused = await from("forged again, 10.0.0.1");
                assert.equal(refused.status, 429);
                assert.match(refused.raw, /Ask again in \d+ seconds/);
                assert.equal((await from("10.0.0.1, 10.0.0.2")).status, 200);
                assert.equal((await from("2001:db8::1")).status, 200);
                assert.equal((await from("2001:db8::2")).status, 429);
            },
            { requestsPerMinute: 1, proxies: 1 },
        ));

    it("reports a proxy once whose X-Forwarded-For does not count", () =>
        withAssistant([search, good], async ({ ask, log }) => {
            await ask("Food?");
            assert.deepEqual(log, []);
            await ask("Food?", {}, { "x-forwarded-for": "192.0.2.1" });
            await ask("Food?", {}, { "x-forwarded-for": "192.0.2.2" });
            assert.equal(log.length, 1);
            assert.match(log[0] ?? "", /127\.0\.0\.1 .*X-Forwarded-For.* --proxies/);
            assert.doesNotMatch(log[0] ?? "", /192\.0\.2/);
        }));

    it("resets the limits after a minute", () => {
        let now = 90_000;
        const limits = new RequestLimits({ perMinute: 2, perHour: 1000, now: () => now });
        assert.deepEqual(
            [limits.add("a"), limits.add("a"), limits.add("a"), limits.add("b")],
            [undefined, undefined, { whose: "reader", waitSeconds: 30 }, undefined],
        );
        now = 120_000;
        assert.equal(limits.add("a"), undefined);
    });

    it("limits the questions of all readers per hour, without those that a reader's limit refused", () => {
        let now = 90_000;
        const limits = new RequestLimits({ perMinute: 1, perHour: 2, now: () => now });
        assert.deepEqual([limits.add("a"), limits.add("a")], [undefined, { whose: "reader", waitSeconds: 30 }]);
        assert.equal(limits.add("b"), undefined);
        now = 120_000;
        assert.deepEqual(limits.add("c"), { whose: "everybody", waitSeconds: 3480 });
        now = 3_600_000;
        assert.equal(limits.add("c"), undefined);
    });

    it("says when it answers again if all readers together have asked too much, and asks the model nothing", () =>
        withAssistant(
            [search, good],
            async ({ ask, endpoint }) => {
                const from = (address: string) => ask("Food?", {}, { "x-forwarded-for": address });
                assert.equal((await from("10.0.0.1")).status, 200);
                const requests = endpoint.asked.length;
                const refused = await from("10.0.0.2");
                assert.equal(refused.status, 429);
                assert.match(refused.raw, /reached its limit of questions per hour\. Ask again in \d+ seconds/);
                assert.ok(Number(refused.headers.get("retry-after")) > 0);
                assert.equal(endpoint.asked.length, requests);
            },
            { questionsPerHour: 1, proxies: 1 },
        ));

    it("stops an endless search, and answers from the pages found so far", () =>
        withAssistant([...Array<Step>(5).fill(search), good], async ({ ask, endpoint }) => {
            assert.equal((await ask("Food?")).text, "[Clams](/guides/start).");
            assert.equal(endpoint.asked.length, 6);
            assert.equal(endpoint.asked.at(-1)?.tool_choice, "none");
        }));

    it("answers from the pages found so far if the model calls a tool against its choice", () =>
        withAssistant([...Array<Step>(6).fill(search), good], async ({ ask, endpoint }) => {
            assert.equal((await ask("Food?")).text, "[Clams](/guides/start).");
            const [refused, last] = endpoint.asked.slice(-2);
            assert.equal(refused?.tool_choice, "none");
            assert.match(endpoint.toolTexts, /Answer from the texts that you have\."[^"]*\}\]$/);
            assert.equal(last?.tools, undefined, "endpoints that ignore the choice would offer them");
        }));

    it("ends an answer of a model that never stops calling tools", () =>
        withAssistant([search], async ({ ask, endpoint }) => {
            const { text, chunks } = await ask("Food?");
            assert.match(text, /^The documentation does not seem to answer this\./);
            assert.equal(chunks.at(-1)?.type, "finish");
            assert.equal(endpoint.asked.length, 7);
        }));

    it("ends an answer that has used up its token budget", () =>
        withAssistant(
            [search],
            async ({ ask, endpoint }) => {
                await ask("Food?");
                assert.equal(endpoint.asked.length, 2);
            },
            { maxTokens: 200 },
        ));

    it("rejects long questions, requests from other sites, and bodies without a question", () =>
        withAssistant([search, good], async ({ ask, endpoint }) => {
            assert.equal((await ask("x".repeat(4001))).status, 400);
            assert.equal((await ask("x", { messages: [{ role: "assistant", content: "x" }] })).status, 400);
            assert.equal((await ask("x", { messages: [] })).status, 400);
            assert.equal((await ask("x", { retrievalPageSize: 1000 })).status, 400);
            assert.equal((await ask("x", {}, { origin: "https://evil.example.com" })).status, 403);
            assert.deepEqual(endpoint.asked, []);
        }));

    it("cancels the request to the endpoint when the reader disconnects", () =>
        withAssistant(
            [search, { reasons: "Clams.", says: "Feed [clams](/guides/start).\n\nMore ", hangs: true }],
            async ({ address, endpoint, log }) => {
                const reader = new AbortController();
                const response = await fetch(`${address}/v2/assistant/docs.example.com/message`, {
                    method: "POST",
                    headers: { "content-type": "application/json" },
                    body: JSON.stringify({ messages: [{ role: "user", content: "Food?" }] }),
                    signal: reader.signal,
                });
                const stream = response.body!.pipeThrough(new TextDecoderStream()).getReader();
                for (let text = ""; !text.includes("text-delta");) {
                    text += (await stream.read()).value ?? assert.fail("the stream ended");
                }
                reader.abort();
                await endpoint.cancelled;
                assert.deepEqual(log, []);
            },
        ));
});

describe("The assistant's records", () => {
    it("count questions, unanswered questions and tokens", () =>
        withAssistant([search, good, { says: "NO_ANSWER" }], async ({ ask, address, questions }) => {
            await ask("Food?");
            await ask("Weather?");
            const metrics = await (await fetch(`${address}/metrics`)).text();
            const valueOf = (name: string) =>
                new RegExp(`^static_export_assistant_${name} (.*)$`, "m").exec(metrics)?.[1];
            assert.deepEqual(["questions_total", "unanswered_total", "failed_total"].map(valueOf), ["2", "1", "0"]);
            assert.deepEqual(["input_tokens_total", "output_tokens_total"].map(valueOf), ["300", "30"]);
            assert.ok(Number(valueOf("answer_seconds_total")) > 0);
            assert.deepEqual(questions, [
                ["Food?", true],
                ["Weather?", false],
            ]);
        }));
});
