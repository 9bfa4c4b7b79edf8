import { type CommandError, ensurePythonTool, run, schemathesis } from "@pulumi-static-export/toolchain";
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import which from "which";
import {
    adminApiKey,
    domain,
    type RunningService,
    withFolder,
    withServiceOver,
} from "../../service/support/running-service.js";
import { signIn } from "../../service/dashboard/support/viewer.js";
import { copyingExporter } from "../../service/support/scripted-exporter.js";
import { waitUntil } from "../../wait-until.js";
import { serviceKinds } from "../support/service-kinds.js";
import { isLong, scaled } from "../../scale.js";

/** More examples find more faults, but take longer: 20 take half a minute on an idle machine. */
const examples = String(scaled({ short: 12, long: 30 }));

for (const { name, create } of isLong ? serviceKinds : serviceKinds.slice(0, 1)) {
    describe(`The service ${name}, tested with Schemathesis`, function () {
        this.timeout(600_000);

        before(async function () {
            if ((await which("python3", { nothrow: true })) === null) {
                console.log("      skipped: Schemathesis needs Python, and no python3 is on PATH.");
                this.skip();
            }
        });

        it("answers every generated request, valid or not, as its OpenAPI document specifies", async () => {
            const command = await ensurePythonTool(schemathesis);
            const projects = { docs: { repository: "https://github.com/acme/docs" } };
            // Schemathesis stores its findings in the working directory.
            const cwd = await mkdtemp(join(tmpdir(), "schemathesis-"));
            const ask = async (running: RunningService): Promise<void> => {
                const { service, requests } = running;
                await writeFile(join(cwd, "schemathesis.toml"), await createConfig(running));
                requests.length = 0;
                const document = `${service.url}/openapi.json`;
                const key = ["--header", `Authorization: Bearer ${adminApiKey}`];
                const proof = ["--header", `X-Gitlab-Token: ${webhookSecret}`];
                // DELETE cancels a job, which clients can still read.
                const checks = ["--checks", "all", "--exclude-checks", "use_after_free"];
                // A rotation without a grace period would end the signed link of the other requests.
                const without = ["--exclude-operation-id", "rotateLinkSecret"];
                const options = [...checks, ...without, "--max-examples", examples, "--seed", "1", "--no-color"];
                try {
                    const report = await run(command, ["run", document, ...key, ...proof, ...options], {
                        cwd,
                        timeoutMs: 580_000,
                    }).catch(reportOfFailure);
                    const { paths } = (await (await fetch(document)).json()) as { paths: Record<string, object> };
                    const count = Object.values(paths).flatMap((operations) => Object.keys(operations)).length;
                    const tested = count - 1;
                    assert.match(report, new RegExp(`Selected: ${tested}/${count}\\s+Tested: ${tested}\\n`), report);
                    const succeeded = requests.filter(({ status = 0 }) => status >= 200 && status < 400);
                    const kinds = new Set(succeeded.map(({ method, path }) => `${method} ${kindOf(path)}`));
                    // The number of operations, including the operation that returns the document.
                    assert.equal(kinds.size, tested + 1, [...kinds].join(", "));
                } finally {
                    await rm(cwd, { recursive: true, force: true });
                }
            };
            await withFolder(async (folder) => {
                await mkdir(join(folder, "docs"));
                const sites = { [domain]: join(folder, "site"), [gitDomain]: `git+file://${folder}/docs#main` };
                const previewDomains = { [gitDomain]: "previews.example.com" };
                const sitesFile = join(folder, "sites");
                const writeSites = (domains: readonly string[]) =>
                    writeFile(sitesFile, domains.map((each) => `${each}=${folder}/site\n`).join(""));
                await writeSites([...goneDomains, keptDomain]);
                const options = {
                    exporter: copyingExporter,
                    projects,
                    sites,
                    sitesFile,
                    previewDomains,
                    webhookSecret,
                };
                const askLater = async (running: RunningService) => {
                    for (const each of goneDomains) {
                        await running.reaches(await running.start({ domain: each }), "completed");
                    }
                    await writeSites([keptDomain]);
                    await waitUntil("the sites are removed", async () => {
                        const { status } = await running.request("GET", `/v1/sites/${goneDomains[0]}`);
                        return status === 404;
                    });
                    await ask(running);
                };
                await withServiceOver(folder, options, askLater, create);
            });
        });
    });
}

const gitDomain = "guides.example.com";
/** Each of them can be removed once. */
const goneDomains = Array.from({ length: 12 }, (_, index) => `gone-${index}.example.com`);
/** A file without any site would be refused. */
const keptDomain = "kept.example.com";
const webhookSecret = "webhook-5ecret-of-the-forge";

/** The number of agent jobs. The spec needs many, because an archived job accepts no more messages. */
const agentJobs = 30;

/** The number of sessions. Each of them can be ended once. */
const sessions = 30;

/** Most ids are real, so that every operation also succeeds; the other ids are invented. */
async function createConfig(running: RunningService): Promise<string> {
    const { start, reaches, link, request, service } = running;
    const jobId = await start();
    await reaches(jobId, "completed");
    const [, file = "", query = ""] = /^\/bundles\/([^?]+)\?(.*)$/.exec(await link(jobId)) ?? [];
    const signed = Object.fromEntries(new URLSearchParams(query));
    service.setFaults(["export:delay=1h,times=1"]);
    const cancelled = await start();
    await request("DELETE", `/v1/static-export/jobs/${cancelled}`);
    await reaches(cancelled, "failed");
    const ids: string[] = [];
    for (let count = 0; count < agentJobs; count += 1) {
        const { body } = await request("POST", "/v2/agent/docs/job", { json: { prompt: "Fix typos." } });
        ids.push(String(body["id"]));
    }
    for (let count = 0; count < sessions; count += 1) {
        await signIn(running, adminApiKey);
    }
    const listed = (await request("GET", "/v1/sessions")).body["sessions"] as { id: string }[];
    const { body: update } = await request("POST", `/v1/project/update/${domain}`);
    const values = {
        ...{ "path.project": [gitDomain], "path.statusId": [update["statusId"]], "body.branch": ["main"] },
        ...{ "path.jobId": [jobId, cancelled], "path.projectId": ["docs"], "path.id": ids, "path.file": [file] },
        ...{ "query.expires": [signed["expires"]], "query.signature": [signed["signature"]] },
        ...{ "body.domain": [domain], "query.domain": [domain], "path.domain": [domain, ...goneDomains] },
        "path.sessionId": listed.map(({ id }) => id),
        "body.expiresAt": ["2999-01-01T00:00:00Z"],
    };
    const sections = Object.entries(values).map(([parameter, known], index) => {
        // A path with two ids, or a signed link, is real only if all of its parts are real.
        // A key whose time of expiry is from an earlier answer would be gone at the next request.
        const probability = { "path.jobId": 0.5, "body.expiresAt": 1 }[parameter] ?? 0.9;
        return (
            `[dictionaries.d${index}]\nvalues = ${JSON.stringify(known)}\n` +
            `[parameters."${parameter}"]\ndictionary = "d${index}"\nprobability = ${probability}\n`
        );
    });
    // Schemathesis does not expect 413 for a body that is too large, or 422 for a key that was used with a different
    // body.
    const refusals = "[400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 429]";
    // A link to a bundle in a bucket redirects.
    const answers = '["2xx", 302, 401, 403, 404, 409, 422, 429]';
    const acceptsRefusals = (operation: string) =>
        `[[operations]]\ninclude-name = "${operation}"\n[operations.checks.positive_data_acceptance]\n` +
        `expected-statuses = ${answers.replace("[", "[400, ")}\n`;
    return (
        // The assertion above checks that every operation succeeds.
        '[warnings]\nfail-on = ["missing_auth"]\n' +
        `[checks.negative_data_rejection]\nexpected-statuses = ${refusals}\n` +
        `[checks.positive_data_acceptance]\nexpected-statuses = ${answers}\n${sections.join("")}` +
        // A schema cannot say which scopes need domains, which need projects, and that a key expires in the future.
        ["POST /v1/keys", "PATCH /v1/keys/{keyId}"].map(acceptsRefusals).join("")
    );
}

/** Replaces each id of a path with a letter. */
function kindOf(path: string): string {
    return path
        .replace(/^\/bundles\/.*/, "/bundles/F")
        .replace(/(jobs|agent|job|keys|preview|sessions|sites|update|update-status|webhook)\/[^/?]+/g, "$1/I")
        .replace(/\?.*/, "");
}

/** Schemathesis prints its findings, and its exit code shows only whether there are any. */
function reportOfFailure(error: unknown): never {
    const { stdout } = ((error as CommandError).cause ?? {}) as { stdout?: string };
    assert.fail(`${(error as Error).message}\n${stdout ?? ""}`);
}
