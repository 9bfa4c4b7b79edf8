import assert from "node:assert/strict";
import { join } from "node:path";
import { type RunningService, withFolder, withServiceOver } from "../support/running-service.js";
import { copyingExporter } from "../support/scripted-exporter.js";
import { type Route, withRouteTable } from "./support/route-table.js";
import { makeKey, page, signIn } from "./support/viewer.js";

const scopes = ["read", "export", "agent", "update", "keys"];
const repository = "https://127.0.0.1:9/acme/docs";

/** What belongs to a team. Each value is something that the other team must not see. */
interface Team {
    name: string;
    domain: string;
    repositoryDomain: string;
    project: string;
    exportJob: string;
    updateJob: string;
    agentJob: string;
    key: string;
    session: string;
    /** The team's own key, which the other team does not have. */
    secret: string;
    texts: string[];
}

async function createTeam(running: RunningService, name: string): Promise<Team> {
    const { request, start, reaches } = running;
    const [domain, repositoryDomain] = [`${name}.example.com`, `repository-${name}.example.com`];
    const project = `project-${name}`;
    const reach = { scopes, domains: [domain, repositoryDomain], projects: [project] };
    const { id: key, secret } = await makeKey(running, { name: `key-${name}`, ...reach });
    const exportJob = await start({ domain, version: `version-${name}` });
    await reaches(exportJob, "completed");
    const prompt = { json: { prompt: `prompt-${name}` } };
    const agent = await request("POST", `/v2/agent/${project}/job`, prompt);
    const update = await request("POST", `/v1/project/update/${repositoryDomain}`, { key: secret });
    assert.equal(update.status, 202, update.text);
    await signIn(running, secret);
    const sessions = (await request("GET", "/v1/sessions", { key: secret })).body["sessions"] as { id: string }[];
    return {
        name,
        session: sessions[0]?.id ?? "",
        domain,
        repositoryDomain,
        project,
        exportJob,
        updateJob: String(update.body["statusId"]),
        agentJob: String(agent.body["id"]),
        key,
        secret,
        texts: [`version-${name}`, `prompt-${name}`, `key-${name}`],
    };
}

async function withTeams(
    use: (running: RunningService, teams: [Team, Team], routes: readonly Route[]) => Promise<void>,
) {
    await withRouteTable((routes) =>
        withFolder((folder) => {
            const sitesOf = (name: string) => ({
                [`${name}.example.com`]: join(folder, "site"),
                [`repository-${name}.example.com`]: `git+${repository}.git#main:${name}`,
            });
            const projects = { "project-shop": { repository }, "project-bank": { repository } };
            const sites = { ...sitesOf("shop"), ...sitesOf("bank") };
            return withServiceOver(folder, { sites, projects, exporter: copyingExporter }, async (running) =>
                use(running, [await createTeam(running, "shop"), await createTeam(running, "bank")], routes),
            );
        }),
    );
}

/** By the name of a parameter, values that belong to a team; or to nobody, to compare the answers. */
function valuesOf(team: Team): Record<string, string[]> {
    const domains = [team.domain, team.repositoryDomain, team.domain.toUpperCase()];
    return {
        jobId: [team.exportJob, team.updateJob],
        statusId: [team.updateJob, team.exportJob],
        domain: domains,
        project: [...domains, team.project],
        projectId: [team.project],
        id: [team.agentJob],
        keyId: [team.key],
        sessionId: [team.session],
        file: [`${team.exportJob}.tar.gz`],
        token: [team.exportJob],
        "*": ["index.html"],
    };
}

const nobody: Team = {
    name: "ghost",
    domain: "ghost.example.com",
    repositoryDomain: "repository-ghost.example.com",
    project: "project-ghost",
    exportJob: `se_${"0".repeat(24)}`,
    updateJob: `du_${"0".repeat(24)}`,
    agentJob: `aj_${"0".repeat(24)}`,
    key: `ak_${"0".repeat(16)}`,
    session: `ss_${"0".repeat(16)}`,
    secret: `admin_${"0".repeat(64)}`,
    texts: [],
};

/** The route's paths with every combination of a team's values. */
function pathsOf(url: string, values: Record<string, string[]>): string[] {
    const [whole, name] = /:(\w+)|(?:\*)$/.exec(url) ?? [];
    if (whole === undefined) {
        return [url];
    }
    const all = values[name ?? "*"];
    assert.ok(all, `${url}: add values of :${name} that belong to a team`);
    return all.flatMap((value) => pathsOf(url.replace(whole, encodeURIComponent(value)), values));
}

const queriesOf = (team: Team): string[] => [
    "",
    `?domain=${team.domain}`,
    `?search=${team.name}&state=completed`,
    `?project=${team.project}`,
    `?key=${team.key}`,
    "?limit=1000&by=key&days=90",
];

const bodiesOf = (team: Team): Record<string, unknown>[] => [
    { domain: team.domain, prompt: "x", project: team.project },
    { name: "mine", scopes: ["read"], domains: [team.domain], projects: [team.project] },
];

interface Answer {
    status: number;
    text: string;
}

interface Attempt {
    /** The request's line and body. */
    title: string;
    send: () => Promise<Answer>;
}

async function attemptsOf(running: RunningService, team: Team, target: Team, routes: readonly Route[]) {
    const { cookies } = await signIn(running, team.secret);
    const { headers, text } = await fetchText(`${running.service.url}${page}/sites`, {
        headers: { cookie: cookieOf(cookies) },
    });
    const csrfCookie = headers.getSetCookie().map((line) => line.split(";", 1)[0]);
    const cookie = [cookieOf(cookies), ...csrfCookie].join("; ");
    const [, csrf = ""] = /name="_csrf" value="([^"]+)"/.exec(text) ?? [];
    return routes
        .filter(({ method, url }) => method !== "HEAD" && !url.endsWith("/sign-out"))
        .flatMap(({ method, url }): Attempt[] =>
            pathsOf(url, valuesOf(target)).flatMap((path) => {
                const isList = method === "GET" && path === url;
                const queries = isList ? queriesOf(target) : [""];
                const bodies = ["POST", "PATCH"].includes(method) ? bodiesOf(target) : [undefined];
                return queries.flatMap((query) =>
                    bodies.map((body) => ({
                        title: `${method} ${path}${query} ${JSON.stringify(body ?? "")}`,
                        send: () => {
                            const isPage = url.startsWith(page);
                            const form = new URLSearchParams({ _csrf: csrf, ...textsOf(body ?? {}) });
                            return fetchText(running.service.url + path + query, {
                                method,
                                redirect: "manual",
                                signal: AbortSignal.timeout(url.endsWith("/events") ? 500 : 60_000),
                                headers: {
                                    ...(isPage ? { cookie } : { authorization: `Bearer ${team.secret}` }),
                                    ...(body && !isPage ? { "content-type": "application/json" } : {}),
                                },
                                ...(body === undefined ? {} : { body: isPage ? form : JSON.stringify(body) }),
                            });
                        },
                    })),
                );
            }),
        );
}

const cookieOf = (cookies: Map<string, string>): string =>
    [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

function textsOf(body: Record<string, unknown>): Record<string, string> {
    return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)]));
}

async function fetchText(url: string, init: RequestInit) {
    const response = await fetch(url, init);
    let text = "";
    try {
        for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
            text += part;
        }
    } catch (error) {
        // Live events do not end.
        assert.equal((error as Error).name, "TimeoutError");
    }
    return {
        status: response.status,
        text: text + (response.headers.get("location") ?? ""),
        headers: response.headers,
    };
}

/** The identifiers and texts of a team that an answer contains although the request did not. */
function leaksIn(answer: Answer, { title }: Attempt, target: Team): string[] {
    const { name: _name, texts, ...values } = target;
    const isIn = (text: string, value: string): boolean => text.toLowerCase().includes(value.toLowerCase());
    return [...Object.values(values), ...texts].filter((value) => isIn(answer.text, value) && !isIn(title, value));
}

/** What the operator sees of everything that exists. */
async function stateOf({ request }: RunningService): Promise<unknown[]> {
    const lists = ["/v1/static-export/jobs?limit=1000", "/v1/project/updates", "/v2/agent/jobs"];
    const answers = await Promise.all(lists.map((path) => request("GET", path)));
    // Updates run in the meantime.
    return answers.flatMap(({ body }) =>
        (body["jobs"] as Record<string, unknown>[]).map(({ jobId, id, archivedAt }) => ({ jobId, id, archivedAt })),
    );
}

describe("Two teams of one service", () => {
    it("learn nothing of each other, and change nothing, with any request to the API and the dashboard", async () => {
        await withTeams(async (running, teams, routes) => {
            const before = await stateOf(running);
            for (const [team, target] of [teams, teams.toReversed() as typeof teams]) {
                const attempts = await attemptsOf(running, team, target, routes);
                assert.ok(attempts.length >= 200, `only ${attempts.length} requests`);
                for (const attempt of attempts) {
                    const answer = await attempt.send();
                    assert.ok(answer.status < 500, `${attempt.title}: ${answer.status} ${answer.text}`);
                    assert.deepEqual(leaksIn(answer, attempt, target), [], `${attempt.title}: ${answer.text}`);
                }
            }
            assert.deepEqual(await stateOf(running), before);
            for (const { key, secret } of teams) {
                const { body } = await running.request("GET", "/v1/whoami", { key: secret });
                assert.equal(body["id"], key);
            }
        });
    });

    it("cannot find out whether something of the other team exists", async () => {
        await withTeams(async (running, [team, target], routes) => {
            const named = routes.filter(({ method, url }) => url.includes(":") || method === "POST");
            const real = await attemptsOf(running, team, target, named);
            const made = await attemptsOf(running, team, nobody, named);
            assert.equal(real.length, made.length);
            for (const [index, attempt] of real.entries()) {
                const { status, text } = await attempt.send();
                const other = await made[index]?.send();
                assert.deepEqual(
                    [status, withoutNames(text, target)],
                    [other?.status, withoutNames(other?.text ?? "", nobody)],
                    attempt.title,
                );
            }
        });
    });

    it("may give their keys the same names", async () => {
        await withTeams(async ({ request }, [team, target]) => {
            const create = (of: Team) =>
                request("POST", "/v1/keys", {
                    key: team.secret,
                    json: { name: `key-${of.name}`, scopes: ["read"], domains: [team.domain] },
                });
            assert.equal((await create(target)).body["key"]?.["name" as never], `key-${target.name}`);
            assert.equal((await create(target)).status, 409);
            const { text } = await request("GET", "/v1/keys");
            assert.equal(text.split(`"name":"key-${target.name}"`).length, 3, text);
        });
    });

    it("see only their own names in the answers about their own sites and projects", async () => {
        await withTeams(async (running, [team, target], routes) => {
            const own = routes.filter(({ method, url }) => method === "GET" || url.startsWith("/v1/project/"));
            for (const attempt of await attemptsOf(running, team, team, own)) {
                const answer = await attempt.send();
                assert.deepEqual(leaksIn(answer, attempt, target), [], `${attempt.title}: ${answer.text}`);
            }
        });
    });
});

/** An answer with placeholders for what differs from one request to the next. */
function withoutNames(text: string, { texts, name, ...values }: Team): string {
    const names = [...Object.values(values), ...texts].flatMap((each) => [each, each.toUpperCase()]);
    return names
        .reduce((rest, each) => rest.replaceAll(each, "NAME"), text)
        .replaceAll(name, "NAME")
        .replace(/value="[^"]*"|\d{4}-\d\d-\d\d[T ][\d:.]+Z?|ak_\w+|admin_\w+|"?(free|used)Bytes"?:\d+/g, "");
}
