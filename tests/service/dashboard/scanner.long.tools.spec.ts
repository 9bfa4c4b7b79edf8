import { ensurePythonTool, run, wapiti } from "@pulumi-static-export/toolchain";
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { adminApiKey, domain } from "../support/running-service.js";
import { makeKey, page, signIn, withDashboard } from "./support/viewer.js";

/** Modules that need no database from the internet and no server that the scanned one can reach. */
const modules =
    "cookieflags,crlf,csp,csrf,exec,file,htaccess,http_headers,ldap,log4shell,methods,permanentxss,redirect";
const injections = "shellshock,spring4shell,sql,timesql,upload,xss,xxe";

interface Report {
    vulnerabilities: Record<string, { method: string; path: string; info: string }[]>;
    anomalies: Report["vulnerabilities"];
    infos: { crawled_pages_nbr: number };
}

const sections = ["/sites", "/jobs", "/updates", "/failures", "/agent-jobs", "/keys", "/health", "/sessions", "/audit"];
/** A scan that loses its session after its first pages has fewer answers for people who have signed in. */
const minSignedIn = 200;
const minPages = 12;

/** Whether only people who have signed in get an answer with status 200. */
function needsSession(path: string): boolean {
    return path.startsWith(`${page}/`) && !/^\/dashboard\/(?:sign-in|assets|files)\b/.test(path);
}

describe("The dashboard, scanned with Wapiti by an operator's session", function () {
    this.timeout(600_000);

    it("has no finding on any page or form", async () => {
        const command = await ensurePythonTool(wapiti);
        const folder = await mkdtemp(join(tmpdir(), "wapiti-"));
        try {
            await withDashboard(async (running) => {
                const { service, start, reaches, request, requests } = running;
                await reaches(await start(), "completed");
                await request("POST", "/v2/agent/docs/job", { json: { prompt: "Fix typos." } });
                await makeKey(running, { name: "ci", scopes: ["export"], domains: [domain] });
                const viewer = await signIn(running, adminApiKey);
                const { cookies } = viewer;
                const { body } = await request("GET", "/v1/sessions?limit=1");
                const [session] = body["sessions"] as { id: string }[];
                const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
                const report = join(folder, "report.json");
                // The scan would sign itself out, or end its session on the page of sessions.
                const scope = [
                    "--url",
                    `${service.url}${page}/sites`,
                    "--scope",
                    "domain",
                    "--exclude",
                    `${service.url}${page}/sign-out`,
                    "--exclude",
                    `${service.url}${page}/sessions/${session?.id}/end`,
                ];
                const limits = ["--max-links-per-page", "60", "--max-scan-time", "60", "--max-attack-time", "6"];
                const output = [
                    "--format",
                    "json",
                    "--output",
                    report,
                    "--no-bugreport",
                    "--store-session",
                    folder,
                    "--store-config",
                    folder,
                ];
                requests.length = 0;
                await run(
                    command,
                    [...scope, "--cookie-value", cookie, "--module", `${modules},${injections}`, ...limits, ...output],
                    { cwd: folder, timeoutMs: 580_000 },
                );
                const { vulnerabilities, anomalies, infos } = JSON.parse(await readFile(report, "utf8")) as Report;
                const findings = Object.entries({ ...vulnerabilities, ...anomalies }).flatMap(([kind, found]) =>
                    found.map(({ method, path, info }) => `${kind}: ${method} ${path}: ${info}`),
                );
                // A scan that was refused everywhere, or has lost its session, would find nothing either.
                const signedIn = requests.filter(({ status, path }) => status === 200 && needsSession(path));
                const pages = new Set(signedIn.map(({ path }) => path));
                const seen = `${signedIn.length} of ${requests.length} answers, from ${pages.size} addresses`;
                console.log(`      ${seen}, were for people who have signed in`);
                assert.ok(infos.crawled_pages_nbr > 50 && requests.length > 1000, JSON.stringify(infos));
                assert.ok(signedIn.length >= minSignedIn && pages.size >= minPages, seen);
                for (const section of sections) {
                    assert.ok(pages.has(page + section), `${section} was not scanned`);
                }
                assert.equal((await viewer.get(`${page}/sites`)).status, 200, "the session has ended");
                assert.deepEqual(findings, []);
            });
        } finally {
            await rm(folder, { recursive: true, force: true });
        }
    });
});
