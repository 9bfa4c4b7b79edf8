import assert from "node:assert/strict";
import { adminApiKey, type RunningService } from "../support/running-service.js";
import { ScriptedExporter } from "../support/scripted-exporter.js";
import { createViewer, makeKey, page, signIn, type Viewer, withDashboard } from "./support/viewer.js";

const longReason = "x".repeat(301);

async function startAgentJob({ request }: RunningService): Promise<string> {
    const { body } = await request("POST", "/v2/agent/docs/job", { json: { prompt: "Fix typos." } });
    return String(body["id"]);
}

interface Case {
    what: string;
    /** Returns the paths of the page with the form and of its action. */
    prepare: (running: RunningService) => Promise<{ from: string; action: string }>;
    form: Record<string, string>;
    field: string;
    message: RegExp;
    /** A part of the page, which still contains it. */
    typed: string;
}

const cases: readonly Case[] = [
    {
        what: "cancels an export with too long a reason",
        prepare: async ({ start }) => {
            const path = `/jobs/${await start()}/cancel`;
            return { from: path, action: path };
        },
        form: { reason: longReason },
        field: "reason",
        message: /reason must be a string of up to 300 characters\./,
        typed: `value="${longReason}"`,
    },
    {
        what: "rotates a key with a grace period in words",
        prepare: async (running) => {
            const path = `/keys/${(await makeKey(running, { name: "ci", scopes: ["read"] })).id}/rotate`;
            return { from: path, action: path };
        },
        form: { grace: "an hour" },
        field: "grace",
        message: /grace must be a number of seconds, or empty\./,
        typed: 'value="an hour"',
    },
    {
        what: "starts an agent job with an empty prompt",
        prepare: () => Promise.resolve({ from: "/agent-jobs", action: "/agent-jobs" }),
        form: { project: "other", prompt: "" },
        field: "prompt",
        message: /prompt must be a string of 1 to 100,000 characters/,
        typed: "<option selected>other</option>",
    },
    {
        what: "starts an agent job with a prompt of spaces",
        prepare: () => Promise.resolve({ from: "/agent-jobs", action: "/agent-jobs" }),
        form: { project: "other", prompt: " \r\n " },
        field: "prompt",
        message: /prompt must be a string of 1 to 100,000 characters/,
        typed: "<option selected>other</option>",
    },
    {
        what: "sends an empty message to an agent",
        prepare: async (running) => {
            const path = `/agent-jobs/docs/${await startAgentJob(running)}`;
            return { from: path, action: `${path}/message` };
        },
        form: { prompt: "" },
        field: "prompt",
        message: /prompt must be a string of 1 to 100,000 characters/,
        typed: "Send a message",
    },
    {
        what: "signs in without a key",
        prepare: () => Promise.resolve({ from: "/sign-in?next=%2Fkeys", action: "/sign-in" }),
        form: { next: "/keys" },
        field: "key",
        message: /lacks the field/,
        typed: 'name="next" value="/keys"',
    },
];

async function withPeople(use: (running: RunningService, viewer: Viewer) => Promise<void>, options = {}) {
    const repository = "https://git.example.com/docs";
    await withDashboard(async (running) => use(running, await signIn(running, adminApiKey)), {
        exporter: new ScriptedExporter(),
        projects: { docs: { repository }, other: { repository } },
        ...options,
    });
}

describe("A form of the dashboard", () => {
    for (const { what, prepare, form, field, message, typed } of cases) {
        it(`that ${what} says so next to the field, and keeps what was typed`, async () => {
            await withPeople(async (running, viewer) => {
                const { from, action } = await prepare(running);
                const person = field === "key" ? createViewer(running) : viewer;
                const { status, text } = await person.post(page + action, form, page + from);
                assert.equal(status, 400);
                assert.match(text, /role="alert"/);
                assert.match(text, message);
                assert.ok(text.includes(typed), text);
                if (field !== "key") {
                    assert.match(text, new RegExp(`name="${field}"[^>]*aria-invalid`));
                }
            });
        });
    }

    it("that leaves all boxes of a key's rights empty says so next to them, and keeps what was typed", async () => {
        await withPeople(async (running, viewer) => {
            const { id } = await makeKey(running, { name: "ci", scopes: ["read"] });
            for (const [path, form, typed] of [
                ["/keys", { name: "next", days: "30" }, 'value="next"'],
                [`/keys/${id}/change`, { expires: "2099-12-31" }, 'value="2099-12-31"'],
            ] as const) {
                const { status, text } = await viewer.post(page + path, form, page + path);
                assert.equal(status, 400);
                assert.match(text, /<fieldset[^>]*aria-invalid.*scopes must be a list of read, export.*<\/fieldset>/s);
                assert.ok(text.includes(typed), text);
            }
        });
    });

    it("says to a person without the right to start agents that the right is missing", async () => {
        await withPeople(async (running) => {
            const { secret } = await makeKey(running, { name: "reader", scopes: ["read"] });
            const reader = await signIn(running, secret);
            const form = { project: "docs", prompt: "Fix typos." };
            const { status, text } = await reader.post(`${page}/agent-jobs`, form, `${page}/sites`);
            assert.equal(status, 403);
            assert.match(text, /role="alert"[^]*needs agent/);
        });
    });

    it("shows the message to an agent whose job somebody has archived meanwhile", async () => {
        await withPeople(async (running, viewer) => {
            const id = await startAgentJob(running);
            const path = `${page}/agent-jobs/docs/${id}`;
            const { text: before } = await viewer.get(path);
            assert.match(before, /Send a message/);
            await running.request("POST", `/v2/agent/docs/job/${id}/archive`);
            const { status, text } = await viewer.post(
                `${path}/message`,
                { prompt: "Fix links, too." },
                `${page}/sites`,
            );
            assert.equal(status, 409);
            assert.match(text, /role="alert"[^]*archived[^]*Fix links, too\./);
        });
    });

    it("keeps a prompt that the service refuses, such as one too many in an hour", async () => {
        await withPeople(
            async (running, viewer) => {
                const id = await startAgentJob(running);
                const prompt = "Fix\nthe <b>other</b> typos.";
                for (const [from, action] of [
                    ["/agent-jobs", "/agent-jobs"],
                    [`/agent-jobs/docs/${id}`, `/agent-jobs/docs/${id}/message`],
                ]) {
                    const form = { project: "docs", prompt };
                    const { status, text } = await viewer.post(page + action, form, page + from);
                    assert.equal(status, 429);
                    assert.match(text, /has used its 1 prompts for this hour/);
                    assert.match(text, /<textarea[^>]*>Fix\nthe &lt;b>other&lt;\/b> typos\.<\/textarea>/);
                }
            },
            { agentStartsPerHour: 1 },
        );
    });
});
