import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type Files } from "../exporter/support/site-fixture.js";
import { scaled } from "../scale.js";
import { asReader, withAssistant } from "./support/ask-assistant.js";
import { type Step } from "./support/scripted-endpoint.js";

/** The number of questions to the search API, MCP or the assistant; `npm run test:all` asks more. */
const questionCount = scaled({ short: 45, long: 1000 });

interface PrivatePage {
    readonly file: string;
    readonly group: "a" | "b" | undefined;
    /** No other page contains the title, the heading or the code. */
    readonly title: string;
    readonly heading: string;
    readonly code: string;
}

/** Returns a word that the search does not confuse with the other words, despite stemming and tolerance of typos. */
const word = (at: number, kind: string) =>
    kind + [...String(at + 11)].map((digit) => "bacedifogu".slice(Number(digit)).slice(0, 1) + "xr").join("");

const pages: readonly PrivatePage[] = Array.from({ length: 15 }, (_, at) => ({
    file: `vault/${word(at, "path")}`,
    group: (["a", "b", undefined] as const)[at % 3],
    title: word(at, "Title"),
    heading: word(at, "Head"),
    code: word(at, "code"),
}));

const files: Files = {
    "docs.json": JSON.stringify({
        name: "Walrus",
        navigation: { pages: ["index", "open", ...pages.map(({ file }) => file)] },
    }),
    "index.md": "---\ntitle: Home\n---\nThe walrus swims in the vault of the sea.\n",
    "open.md": "---\ntitle: Open\n---\nEverybody reads about the plan and the budget.\n",
    ...Object.fromEntries(
        pages.map(({ file, group, title, heading, code }) => [
            `${file}.md`,
            `---\ntitle: ${title}\n${group === undefined ? "public: false" : `groups: [${group}]`}\n---\n` +
                `The plan ${code} of the walrus.\n\n## ${heading}\n\nThe budget of ${code}.\n`,
        ]),
    ),
};

const readers = [
    { name: "an outsider", headers: {}, mayRead: () => false },
    { name: "a reader of group a", headers: asReader("a"), mayRead: ({ group }: PrivatePage) => group !== "b" },
    { name: "a reader of group b", headers: asReader("b"), mayRead: ({ group }: PrivatePage) => group !== "a" },
] as const;

type Reader = (typeof readers)[number];

interface Question {
    readonly reader: Reader;
    readonly page: PrivatePage;
    readonly text: string;
    readonly channel: "search" | "mcp" | "assistant";
}

const phrasings: readonly ((page: PrivatePage) => string)[] = [
    ({ title }) => title,
    ({ code }) => code,
    ({ heading }) => `${heading} budget`,
    ({ title }) => `What does ${title} say about the plan?`,
    ({ file }) => file,
    ({ code }) => code.slice(0, -2),
    () => "plan of the vault",
];

function makeQuestions(count: number): Question[] {
    const channels = ["search", "mcp", "assistant"] as const;
    return Array.from({ length: count }, (_, at) => {
        const reader = readers[at % 3]!;
        const closed = pages.filter((page) => !reader.mayRead(page));
        const page = closed[Math.floor(at / 9) % closed.length]!;
        const text = phrasings[Math.floor(at / 9) % phrasings.length]!(page);
        return { reader, page, text, channel: channels[Math.floor(at / 3) % 3]! };
    });
}

/** Lists the answer's words from pages that the reader may not read, except the words of the question. */
function leaks(answer: string, { reader, page, text }: Question): string[] {
    const asked = `${text} ${page.file}`.toLowerCase();
    const words = pages
        .filter((each) => !reader.mayRead(each))
        .flatMap(({ file, title, heading, code }) => [file, title, heading, code])
        .map((each) => each.toLowerCase())
        .filter((each) => !asked.includes(each) && !(each.startsWith("code") && asked.includes(each.slice(0, -2))));
    return words.filter((each) => answer.toLowerCase().includes(each));
}

describe(`Readers who ask ${questionCount} questions about pages that they may not read`, function () {
    this.timeout(600_000);
    const clients: Client[] = [];
    after(() => Promise.all(clients.map((client) => client.close())));

    it("learn nothing from search, MCP or the assistant, not even a title", async () => {
        const questions = makeQuestions(questionCount);
        // The model searches for the question, reads the page, and echoes everything that it received.
        const steps = questions
            .filter(({ channel }) => channel === "assistant")
            .flatMap(({ text, page }): Step[] => [
                { calls: "search", with: { query: text } },
                { calls: "read_page", with: { path: `/${page.file}` } },
                { says: "See [the vault](/open)." },
            ]);
        await withAssistant(
            [...steps, { says: "End." }],
            async ({ address, ask, endpoint }) => {
                const post = async (path: string, body: object, headers: Record<string, string>) => {
                    const all = { "content-type": "application/json", ...headers };
                    return fetch(address + path, { method: "POST", headers: all, body: JSON.stringify(body) });
                };
                const connected = new Map<Reader, Client>();
                for (const reader of readers) {
                    const client = new Client({ name: "spec", version: "1" });
                    clients.push(client);
                    const path = "x-user" in reader.headers ? "/authed/mcp" : "/mcp";
                    const options = { requestInit: { headers: reader.headers } };
                    await client.connect(new StreamableHTTPClientTransport(new URL(path, address), options));
                    connected.set(reader, client);
                }
                const answers: Readonly<Record<Question["channel"], (question: Question) => Promise<string>>> = {
                    search: async ({ text, page, reader }) => {
                        const found = await post("/v1/search/docs.example.com", { query: text }, reader.headers);
                        const read = await post("/v1/page/docs.example.com", { path: page.file }, reader.headers);
                        assert.equal(read.status, 404);
                        return (await found.text()) + (await read.text());
                    },
                    mcp: async ({ text, page, reader }) => {
                        const client = connected.get(reader)!;
                        const results = [
                            await client.callTool({ name: "search", arguments: { query: text } }),
                            await client.callTool({ name: "read_page", arguments: { path: page.file } }),
                            await client.callTool({ name: "list_pages", arguments: {} }),
                        ];
                        return JSON.stringify(results);
                    },
                    assistant: async ({ text, reader }) => {
                        const { raw } = await ask(text, {}, reader.headers);
                        return raw + endpoint.toolTexts;
                    },
                };
                for (const question of questions) {
                    const found = leaks(await answers[question.channel](question), question);
                    assert.deepEqual(found, [], `${question.reader.name} asked ${question.channel}: ${question.text}`);
                }
                // Readers who may read the pages find them with the same questions.
                const own = pages.find(({ group }) => group === "a")!;
                const found = await post("/v1/search/docs.example.com", { query: own.code }, asReader("a"));
                assert.match(await found.text(), new RegExp(own.title));
                const read = await connected.get(readers[1])!.callTool({
                    name: "read_page",
                    arguments: { path: own.file },
                });
                assert.match(JSON.stringify(read), new RegExp(own.heading));
            },
            { requestsPerMinute: 100_000 },
            files,
        );
    });
});
