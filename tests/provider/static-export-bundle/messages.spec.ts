import assert from "node:assert/strict";
import { createGate } from "@pulumi-static-export/sdk/internal";
import { SavedJobs } from "../../../provider/src/jobs/saved-jobs.js";
import { BundleLifecycle } from "../../../provider/src/static-export-bundle/lifecycle.js";
import type { BundleInputs } from "../../../provider/src/static-export-bundle/model.js";
import { Journal } from "../../../provider/src/engine/journal/journal.js";
import { readAdminApiSettings } from "../../../provider/src/engine/admin-api-settings.js";
import type { FakePlatform } from "../support/fake-platform.js";
import type { Fault } from "../support/fake-server.js";
import { LifecycleFixture } from "../support/lifecycle-fixture.js";

const inputs: BundleInputs = { domain: "docs.example.com", version: "2", timeoutSeconds: 60, __provider: "shim" };
const always = (fault: Fault) => Array<Fault>(500).fill(fault);

const startCall = "(POST /v1/static-export/jobs at https://api.example.com)";
const getCall = "(GET /v1/static-export/jobs/se_1 at https://api.example.com)";
const bundleCall = "(POST /v1/static-export/jobs/se_1/bundle at https://api.example.com)";
const nothingStarted = "This run started nothing and left the stack's state unchanged: run `pulumi up` again.";
const jobKept = "Job se_1 is saved in the stack's state: the next `pulumi up` resumes it.";
const newJob = "The next `pulumi up` starts a new job.";
const refusedKey =
    "The admin API key was not accepted: it is wrong, expired or rotated. Set adminApiKey to a key that this platform accepts. " +
    "Set it with `pulumi config set --secret static-export:adminApiKey`.";
const howToAdopt =
    "Look for a job of this domain on the platform or in its log: if there is one, adopt it by setting its " +
    'jobId. If there is none, start again. To adopt a job, set `jobId: "se_…"` in the arguments of the ' +
    "StaticExportBundle. Otherwise, the next `pulumi up` starts another one.";
const goesOn =
    "The job keeps running, so do not start a new export: wait for it again, with a longer timeout if necessary.";

interface Case {
    what: string;
    platform: (platform: FakePlatform) => void;
    /** The job id that the program sets. */
    jobId?: string;
    text: string;
}

const cases: Case[] = [
    {
        what: "400 to the start",
        platform: ({ faults }) => (faults.start = [{ status: 400, error: "unknown path /strat" }]),
        text:
            `Export of docs.example.com: the server answered 400 Bad Request: "unknown path /strat" ${startCall}. Check ` +
            "the domain (a host name only: no scheme, port, path or trailing slash), version and paths. " +
            nothingStarted,
    },
    {
        what: "401 to the start",
        platform: ({ faults }) => (faults.start = [{ status: 401, error: "invalid key" }]),
        text:
            `Export of docs.example.com: the server answered 401 Unauthorized: "invalid key" ${startCall}. ` +
            `${refusedKey} ${nothingStarted}`,
    },
    {
        what: "401 while the job runs",
        platform: ({ faults }) => (faults.get = [undefined, { status: 401, error: "invalid key" }]),
        text:
            `Export job se_1 of docs.example.com: the server answered 401 Unauthorized: "invalid key" ${getCall}. ` +
            `${refusedKey} ${jobKept}`,
    },
    {
        what: "404 to the start",
        platform: ({ faults }) => (faults.start = [{ status: 404, html: true }]),
        text:
            `Export of docs.example.com: the server answered 404 Not Found ${startCall}. Check baseUrl: the server at that ` +
            `URL does not offer static exports. ${nothingStarted}`,
    },
    {
        what: "404 while the job runs",
        platform: ({ faults }) =>
            (faults.get = [undefined, { status: 404, error: "no such job" }, { status: 404, error: "no such job" }]),
        text:
            `Export job se_1 of docs.example.com: the server answered 404 Not Found: "no such job" ${getCall}. Check ` +
            "the job id, and that baseUrl is the address that started the job. If the job is gone, start a new one. " +
            newJob,
    },
    {
        what: "404 for the job that the program names",
        platform: () => {},
        jobId: "se_1",
        text:
            `Export job se_1 of docs.example.com: the server answered 404 Not Found: "no such job se_1" ${getCall}. ` +
            "Check the job id, and that baseUrl is the address that started the job. If the job is gone, start a " +
            "new one. The program names this job: remove jobId to export again (if a StaticExportJob started it, " +
            "run `pulumi up --refresh`), or name another job.",
    },
    {
        what: "503 to the start",
        platform: ({ faults }) => (faults.start = [{ status: 503, html: true }]),
        text:
            "Export of docs.example.com: the server answered 503 Service Unavailable; an export job may or may not " +
            `have been started, and the request was not repeated ${startCall}. ${howToAdopt}`,
    },
    {
        what: "502 from some time on until the deadline",
        platform: ({ faults }) => (faults.get = [undefined, ...always({ status: 502 })]),
        text:
            'Export job se_1 of docs.example.com was not done after 60 s; its last status was "running", and the last ' +
            `poll failed: the server answered 502 Bad Gateway: "out of order" ${getCall}. ${goesOn} ${jobKept}`,
    },
    {
        what: "a job that failed",
        platform: (platform) => (platform.nextOutcome = { failed: "guide.md:12: unclosed tag" }),
        text:
            `Export job se_1 of docs.example.com failed: guide.md:12: unclosed tag ${getCall}. Correct the reason, ` +
            `then start a new export: a failed job cannot be resumed. ${newJob}`,
    },
];

describe("the error message of a failed StaticExportBundle", () => {
    let fixture: LifecycleFixture;
    beforeEach(() => {
        fixture = new LifecycleFixture();
    });
    afterEach(() => fixture.dispose());

    for (const { what, platform, jobId, text } of cases) {
        it(`names the failure, its place and the remedy: ${what}`, async () => {
            platform(fixture.platform);
            const failing = fixture.create({ ...inputs, ...(jobId === undefined ? {} : { jobId }) });
            await assert.rejects(failing, (error: Error & { reasons?: string[] }) => {
                assert.equal(error.message, text);
                // For a saved failure, Pulumi shows the reasons.
                assert.deepEqual(error.reasons ?? [text], [text]);
                return true;
            });
        });
    }

    it("states that only the renewal of the link failed", async () => {
        const state = await fixture.create(inputs);
        fixture.clock.pass(2 * 3600_000);
        fixture.platform.faults.bundle = [{ status: 403, error: "not enabled" }];
        await assert.rejects(fixture.update(state, inputs), {
            message:
                `Export job se_1 of docs.example.com: the server answered 403 Forbidden: "not enabled" ${bundleCall}. ` +
                "Check the domain, and that the key may export it. On a hosted platform, static export also needs an " +
                `enterprise plan and must be enabled for the key's organisation. ${nothingStarted}`,
        });
    });

    it("reports what a killed run left unfinished", async () => {
        fixture.platform.hang = "start";
        fixture.createUnheard(inputs);
        await fixture.platform.requested("start");
        fixture.restart();
        fixture.platform.hang = undefined;
        await fixture.create(inputs);
        assert.equal(
            fixture.lines[0],
            "docs.example.com: an earlier run, at 2026-11-20T12:00:00.000Z, got no response to its request, so its " +
                "export may be in progress. Starting another one. To adopt the first one instead, set its jobId.",
        );
    });

    for (const [what, env, text] of [
        [
            "base address",
            {},
            "No base address of the admin API is set. Run `pulumi config set static-export:baseUrl`, or set the " +
                "environment variable STATIC_EXPORT_BASE_URL.",
        ],
        [
            "key",
            { STATIC_EXPORT_BASE_URL: "https://api.example.com" },
            "No admin API key is set. Run `pulumi config set --secret static-export:adminApiKey`, or set the " +
                "environment variable STATIC_EXPORT_ADMIN_API_KEY.",
        ],
    ] as const) {
        it(`names the missing setting without making a request: the ${what}`, async () => {
            const nothingSet = { get: () => undefined, require: () => assert.fail() };
            const lifecycle = new BundleLifecycle({
                connect: () => {
                    readAdminApiSettings(nothingSet, env);
                    return assert.fail("nothing is missing");
                },
                engine: { whileAlive: (wait) => wait(), finish: (work) => work(), whenSaved: () => undefined },
                journal: new Journal(fixture.journalFolder, { report: assert.fail }),
                savedJobs: new SavedJobs(),
                startGate: createGate(1),
                clock: fixture.clock,
                log: () => {},
                signal: new AbortController().signal,
            });
            await assert.rejects(lifecycle.create(inputs), { message: text });
        });
    }

    for (const [source, says] of [
        ["configuration", /A refresh uses the key of the last `pulumi up`: .*`pulumi refresh --run-program`\.$/],
        ["environment", /The key was read from the environment variable STATIC_EXPORT_ADMIN_API_KEY\.$/],
    ] as const) {
        it(`names the key that a refused refresh used, and the resource once: ${source}`, async () => {
            fixture.keySource = source;
            const state = await fixture.create(inputs);
            fixture.platform.faults.get = [{ status: 401, error: "invalid key" }];
            await assert.rejects(fixture.lifecycle.read(state.domain, state), (error: Error) => {
                assert.match(
                    error.message,
                    /^Export job se_1 of docs\.example\.com: .* 401 Unauthorized: "invalid key"/,
                );
                assert.match(error.message, says);
                // Pulumi prints both before the message.
                assert.equal(
                    `${String(error)}: ${error.stack}`,
                    "docs.example.com could not be refreshed: see the error of the resource",
                );
                return true;
            });
        });
    }

    it("names the variable instead of a configuration command if the key comes from the environment", async () => {
        fixture.keySource = "environment";
        fixture.platform.faults.start = [{ status: 401, error: "invalid key" }];
        await assert.rejects(fixture.create(inputs), ({ message }: Error) => {
            assert.match(message, /environment variable STATIC_EXPORT_ADMIN_API_KEY/);
            assert.doesNotMatch(message, /pulumi config set|dashboard/);
            return true;
        });
    });
});
