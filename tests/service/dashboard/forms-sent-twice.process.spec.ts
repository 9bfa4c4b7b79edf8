import assert from "node:assert/strict";
import { adminApiKey, domain, type RunningService } from "../support/running-service.js";
import { ScriptedExporter } from "../support/scripted-exporter.js";
import { createViewer, makeKey, page, signIn, type Viewer, withDashboard } from "./support/viewer.js";

type Answer = Awaited<ReturnType<Viewer["post"]>>;

interface Case {
    /** The act of the form. */
    what: string;
    /** Returns the paths of the page with the form and of its action. */
    prepare: (running: RunningService) => Promise<{ from: string; action: string }>;
    filled?: Record<string, string>;
    sites?: Readonly<Record<string, string>>;
    /** The entry of the audit log, of which there is one. */
    act: RegExp;
}

const withKey =
    (act: string) =>
    async (running: RunningService): Promise<{ from: string; action: string }> => {
        const { id } = await makeKey(running, { name: "ci", scopes: ["read"] });
        return { from: `/keys/${id}/${act}`, action: `/keys/${id}/${act}` };
    };

const cases: readonly Case[] = [
    {
        what: "starts an export",
        prepare: () => Promise.resolve({ from: `/sites/${domain}`, action: `/sites/${domain}/export` }),
        act: /^started export job/,
    },
    {
        what: "publishes the newest commit",
        prepare: () => Promise.resolve({ from: `/sites/${domain}`, action: `/sites/${domain}/update` }),
        // A site in a folder has no commits.
        sites: { [domain]: "git+https://127.0.0.1:9/docs#main" },
        act: /^started documentation update/,
    },
    {
        what: "starts an agent job",
        prepare: () => Promise.resolve({ from: "/agent-jobs", action: "/agent-jobs" }),
        filled: { project: "docs", prompt: "Fix typos." },
        act: /^started agent job/,
    },
    {
        what: "sends a message to an agent",
        prepare: async ({ request }) => {
            const { body } = await request("POST", "/v2/agent/docs/job", { json: { prompt: "Fix typos." } });
            const path = `/agent-jobs/docs/${String(body["id"])}`;
            return { from: path, action: `${path}/message` };
        },
        filled: { prompt: "Fix links, too." },
        act: /^sent a message/,
    },
    {
        what: "cancels an export",
        prepare: async ({ start }) => {
            const path = `/jobs/${await start()}/cancel`;
            return { from: path, action: path };
        },
        act: /^cancelled export job/,
    },
    { what: "revokes a key", prepare: withKey("revoke"), act: /^revoked key ci/ },
    { what: "changes a key", prepare: withKey("change"), filled: { scopes: "export" }, act: /^changed key ci/ },
    { what: "replaces a key's secret", prepare: withKey("rotate"), act: /^rotated key ci/ },
    {
        what: "creates a key",
        prepare: () => Promise.resolve({ from: "/keys", action: "/keys" }),
        filled: { name: "new", scopes: "read" },
        act: /^created key new/,
    },
    {
        what: "ends a session",
        prepare: async (running) => {
            const { secret } = await makeKey(running, { name: "other", scopes: ["read"] });
            await signIn(running, secret);
            const { body } = await running.request("GET", "/v1/sessions");
            const sessions = body["sessions"] as { id: string; name: string }[];
            const { id = "" } = sessions.find(({ name }) => name === "other") ?? {};
            return { from: "/sessions", action: `/sessions/${id}/end` };
        },
        act: /^ended session/,
    },
];

/** The hidden and chosen fields of the form with this action. */
function fieldsOf(html: string, action: string): Record<string, string> {
    const [form = ""] = html.slice(html.indexOf(`method="post" action="${action}"`)).split("</form>");
    const inputs = [...form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
    const chosen = [...form.matchAll(/<select name="(\w+)">.*?<option value="([^"]*)" selected/g)];
    return Object.fromEntries([...inputs, ...chosen].map(([, name = "", value = ""]) => [name, value]));
}

async function withOpenForm(
    { prepare, filled, sites }: Case,
    use: (
        send: () => Promise<{ status: number; headers: Headers }>,
        acts: () => Promise<string[]>,
        open: Viewer["get"],
        from: string,
    ) => Promise<void>,
): Promise<void> {
    await withDashboard(
        async (running) => {
            const { from, action } = await prepare(running);
            const viewer = await signIn(running, adminApiKey);
            const fields = { ...fieldsOf((await viewer.get(page + from)).text, page + action), ...filled };
            const acts = async () => {
                const { body } = await running.request("GET", "/v1/audit?limit=100");
                return (body["entries"] as { act: string }[]).map(({ act }) => act);
            };
            await use(() => viewer.post(page + action, fields), acts, viewer.get, from);
        },
        { exporter: new ScriptedExporter(), ...(sites && { sites }) },
    );
}

for (const each of cases) {
    describe(`A form that ${each.what}`, () => {
        it("acts once if it is sent twice at the same time, and both answers lead to the result", async () => {
            await withOpenForm(each, async (send, acts) => {
                const answers = await Promise.all([send(), send()]);
                assert.deepEqual(
                    answers.map(({ status }) => status),
                    [303, 303],
                );
                const [one, other] = answers.map(({ headers }) => headers.get("location"));
                assert.equal(one, other);
                assert.equal((await acts()).filter((act) => each.act.test(act)).length, 1);
            });
        });

        it("acts once if it is sent again later, and its page shows no error", async () => {
            await withOpenForm(each, async (send, acts, open, from) => {
                const first = await send();
                const again = await send();
                assert.deepEqual([again.status, again.headers.get("location")], [303, first.headers.get("location")]);
                assert.equal((await acts()).filter((act) => each.act.test(act)).length, 1);
                const { status, headers } = await open(page + from);
                assert.ok(status === 200 || (status === 303 && headers.get("location") !== null), String(status));
            });
        });
    });
}

describe("A form that creates a key, and is sent again with other values", () => {
    it("creates the other key, whose secret its page shows", async () => {
        await withDashboard(async (running) => {
            const viewer = await signIn(running, adminApiKey);
            const fields = fieldsOf((await viewer.get(`${page}/keys`)).text, `${page}/keys`);
            await viewer.post(`${page}/keys`, { ...fields, name: "first", scopes: "read" });
            const { status } = await viewer.post(`${page}/keys`, { ...fields, name: "second", scopes: "export" });
            assert.equal(status, 303);
            assert.match((await viewer.get(`${page}/keys/created`)).text, /<h1>Key second/);
            const { body } = await running.request("GET", "/v1/keys");
            assert.deepEqual((body["keys"] as { name: string }[]).map(({ name }) => name).sort(), ["first", "second"]);
        });
    });
});

describe("The button of the link that signs the operator in", () => {
    async function withLink(
        use: (viewers: readonly Viewer[], press: (viewer: Viewer, form?: object) => Promise<Answer>) => Promise<void>,
    ): Promise<void> {
        await withDashboard(async (running) => {
            const link = running.service.createSignInLink() ?? "";
            const fields = { link: new URL(link).searchParams.get("link") ?? "" };
            await use([createViewer(running), createViewer(running)], (viewer, form = {}) =>
                viewer.post(`${page}/sign-in/link`, { ...fields, ...form }, link),
            );
        });
    }

    it("signs in also with the second of two clicks, whose answer the browser shows", async () => {
        await withLink(async ([viewer], press) => {
            assert.ok(viewer);
            const form = { request: "one-page-of-the-link" };
            const answers = await Promise.all([press(viewer, form), press(viewer, form)]);
            assert.deepEqual(
                answers.map(({ status }) => status),
                [303, 303],
            );
        });
    });

    it("signs nobody in from another page with the same link", async () => {
        await withLink(async ([one, other], press) => {
            assert.ok(one && other);
            assert.equal((await press(one, { request: "one-page-of-the-link" })).status, 303);
            assert.equal((await press(other, { request: "another-page" })).status, 403);
            assert.equal((await press(other)).status, 403);
        });
    });

    it("leads people who have signed in to their pages when they press it again", async () => {
        await withLink(async ([viewer], press) => {
            assert.ok(viewer);
            assert.equal((await press(viewer)).status, 303);
            const { status, headers } = await press(viewer);
            assert.deepEqual([status, headers.get("location")], [303, `${page}/`]);
        });
    });
});
