import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createApp } from "../../../service/src/http/app.js";
import { silentLogger } from "../../../service/src/shared/logger.js";
import {
    adminApiKey,
    domain,
    type RequestSettings,
    useService,
    withFolder,
    withService,
    withServiceOver,
} from "../support/running-service.js";
import { copyingExporter, ScriptedExporter } from "../support/scripted-exporter.js";

const jobs = "/v1/static-export/jobs";
const domainRule =
    "domain must be a host name only, such as docs.example.com: no scheme, port, path or trailing slash.";

describe("Authentication", () => {
    const endpoints = [
        ["POST", jobs],
        ["GET", `${jobs}/se_42`],
        ["POST", `${jobs}/se_42/bundle`],
        ["POST", "/v2/agent/docs/job"],
        ["GET", "/v2/agent/docs/job/aj_42"],
        ["POST", "/v2/agent/docs/job/aj_42/message"],
    ] as const;

    const running = useService({ exporter: copyingExporter });
    for (const [method, path] of endpoints) {
        it(`answers 401 to ${method} ${path} without a key, before any other check`, async () => {
            const { status, headers, body } = await running().request(method, path, { key: null });
            assert.equal(status, 401);
            assert.equal(headers.get("www-authenticate"), 'Bearer realm="admin API"');
            assert.deepEqual(body, {
                error: "The request carries no admin API key: send it as Authorization: Bearer <key>.",
            });
        });
    }

    it("answers 401 to another key, a longer key or another scheme, without repeating the key", async () => {
        await withService({ exporter: copyingExporter, adminApiKey: "admin_secret_012" }, async ({ request }) => {
            for (const authorization of [
                "Bearer admin_other",
                "Bearer admin_secretX",
                "Basic admin_secret_012",
                "Bearer",
            ]) {
                const { status, text } = await request("GET", `${jobs}/se_42`, {
                    key: null,
                    headers: { authorization },
                });
                assert.equal(status, 401, authorization);
                assert.doesNotMatch(text, /admin_/);
            }
        });
    });

    it("accepts the key with any letter case of the scheme, as HTTP requires", async () => {
        await withService({ exporter: copyingExporter, adminApiKey: "admin_secret_012" }, async ({ request }) => {
            const headers = { authorization: "bearer admin_secret_012" };
            assert.equal((await request("GET", `${jobs}/se_42`, { key: null, headers })).status, 404);
        });
    });
});

describe("Validation of request bodies", () => {
    const json = { "content-type": "application/json" };
    const refused: [string, RequestSettings, number, string][] = [
        ["a scheme", { json: { domain: `https://${domain}` } }, 400, domainRule],
        ["a port", { json: { domain: `${domain}:8080` } }, 400, domainRule],
        ["a path", { json: { domain: `${domain}/guides` } }, 400, domainRule],
        ["a trailing slash", { json: { domain: `${domain}/` } }, 400, domainRule],
        ["a trailing dot", { json: { domain: `${domain}.` } }, 400, domainRule],
        ["an empty domain", { json: { domain: "" } }, 400, domainRule],
        ["a domain that is no string", { json: { domain: 42 } }, 400, domainRule],
        ["no domain", { json: {} }, 400, 'The body lacks the field "domain".'],
        [
            "a version of several lines",
            { json: { domain, version: "1\n2" } },
            400,
            "version must be a label for this export, of 1 to 200 characters on one line.",
        ],
        [
            "an empty list of paths",
            { json: { domain, paths: [] } },
            400,
            "paths must be a list of 1 to 1,000 different page paths; leave it out for every published page.",
        ],
        [
            "a path that is no string",
            { json: { domain, paths: [1] } },
            400,
            "paths.0 must be the path of a page, such as /guides/start.",
        ],
        ["a list", { json: [domain] }, 400, "The body must be a JSON object."],
        ["no body", { headers: json }, 400, "The body must be a JSON object."],
        ["bad JSON", { body: '{"domain":', headers: json }, 400, "The body is not valid JSON."],
        [
            "another type",
            { body: "domain: docs", headers: { "content-type": "text/yaml" } },
            415,
            "The body must be JSON, sent with Content-Type: application/json.",
        ],
        [
            "two megabytes and more",
            { json: { domain, version: "x".repeat(2 * 1024 * 1024) } },
            413,
            "Request body is too large.",
        ],
    ];

    const exporter = new ScriptedExporter();
    const running = useService({ exporter });
    for (const [what, settings, expectedStatus, error] of refused) {
        it(`refuses ${what} with ${expectedStatus} and the rule, and starts nothing`, async () => {
            const { status, body } = await running().request("POST", jobs, settings);
            assert.deepEqual([status, body], [expectedStatus, { error }]);
            assert.equal(exporter.begun.length, 0);
        });
    }

    it("accepts unknown fields, like the public platform", async () => {
        await withService({ exporter: copyingExporter }, async ({ start, reaches }) => {
            await reaches(await start({ pages: [], branch: "main" }), "completed");
        });
    });

    it("treats an empty body of any type as a missing body", async () => {
        await withService({ exporter: copyingExporter }, async ({ request, service, start, reaches }) => {
            const jobId = await start();
            await reaches(jobId, "completed");
            for (const type of ["application/x-www-form-urlencoded", "text/plain", "a/b"]) {
                const headers = { "content-type": type };
                assert.equal(
                    (await request("POST", `${jobs}/${jobId}/bundle`, { body: "", headers })).status,
                    200,
                    type,
                );
                // A chunked body without chunks.
                const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
                socket.write(
                    `POST ${jobs}/${jobId}/bundle HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${type}\r\n` +
                        `Authorization: Bearer ${adminApiKey}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
                );
                assert.match(await text(socket), /^HTTP\/1\.1 200 OK/, type);
            }
        });
    });

    it("accepts an empty body declared as JSON if the contract has no body", async () => {
        await withService({ exporter: copyingExporter }, async ({ request, start, reaches }) => {
            const jobId = await start();
            await reaches(jobId, "completed");
            assert.equal((await request("POST", `${jobs}/${jobId}/bundle`, { headers: json })).status, 200);
            assert.equal((await request("POST", `${jobs}/${jobId}/bundle`, { json: {} })).status, 200);
        });
    });
});

describe("The request router", () => {
    it("answers 404 with the Error body to an unknown route, without repeating the query", async () => {
        await withService({ exporter: copyingExporter }, async ({ request }) => {
            const { status, body } = await request("DELETE", "/nowhere?signature=secret");
            assert.deepEqual([status, body], [404, { error: "There is no DELETE /nowhere on this service." }]);
        });
    });

    const otherMethods: [string, string, string][] = [
        ["DELETE", jobs, "GET, HEAD, POST"],
        ["PUT", `${jobs}/se_42`, "DELETE, GET, HEAD"],
        ["DELETE", `${jobs}/se_42/bundle`, "POST"],
        ["PATCH", "/v2/agent/docs/job/aj_42", "GET, HEAD"],
        ["POST", "/bundles/a.tar.gz", "GET, HEAD"],
        ["OPTIONS", "/openapi.json", "GET, HEAD"],
    ];
    for (const [method, path, allow] of otherMethods) {
        it(`answers 405 with Allow to ${method} ${path} with any body`, async () => {
            await withService({ exporter: copyingExporter }, async ({ request }) => {
                for (const settings of [
                    {},
                    ...(method === "GET" ? [] : [{ body: "{", headers: { "content-type": "a/b" } }]),
                ]) {
                    const { status, headers, body } = await request(method, path, settings);
                    assert.deepEqual([status, headers.get("allow")], [405, allow]);
                    assert.deepEqual(body, { error: `${path} takes no ${method}; it takes ${allow}.` });
                }
            });
        });
    }

    it("answers 400 with the Error body to an undecodable address, without repeating the query", async () => {
        await withService({ exporter: copyingExporter }, async ({ request }) => {
            const { status, body } = await request("GET", "/bundles/%zz?expires=1&signature=secret");
            const error = "The path /bundles/%zz cannot be decoded: each % must begin the code of a character.";
            assert.deepEqual([status, body], [400, { error }]);
        });
    });

    it("answers 414 with the Error body to an overlong address, without repeating the query", async () => {
        await withService({ exporter: copyingExporter }, async ({ request }) => {
            const path = `/bundles/${"x".repeat(301)}`;
            const { status, body } = await request("GET", `${path}?expires=1&signature=secret`);
            assert.deepEqual([status, body], [414, { error: `A part of the path ${path} is too long.` }]);
        });
    });
});

describe("The HTTP server", () => {
    const broken: [string, string, string, string][] = [
        [
            "bytes that are no HTTP",
            "hello",
            "400 Bad Request",
            "This is not an HTTP request that the service understands.",
        ],
        [
            "headers that are too large",
            `GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${"x".repeat(64 * 1024)}`,
            "431 Request Header Fields Too Large",
            "The request's headers are larger than 16384 bytes.",
        ],
        [
            "an expectation that it does not know",
            "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: weird",
            "417 Expectation Failed",
            "The service supports no Expect header other than 100-continue.",
        ],
    ];

    const running = useService({ exporter: copyingExporter });
    for (const [what, bytes, status, error] of broken) {
        it(`answers ${status} with the Error body to ${what}`, async () => {
            const socket = connect(Number(new URL(running().service.url).port), "127.0.0.1");
            socket.write(`${bytes}\r\n\r\n`);
            assert.deepEqual(answerOf(await text(socket)), { status, body: { error } });
        });
    }

    it("answers 408 with the Error body if headers do not end in time", async () => {
        const app = createApp(silentLogger);
        try {
            const { port } = new URL(await app.listen({ port: 0, host: "127.0.0.1" }));
            // Immediately reports the error that Node.js reports after a minute.
            const timeout = Object.assign(new Error("Request timeout"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
            app.server.once("connection", (socket) => app.server.emit("clientError", timeout, socket));
            const socket = connect(Number(port), "127.0.0.1");
            const error = "The request did not arrive completely in time: send the request again.";
            assert.deepEqual(answerOf(await text(socket)), { status: "408 Request Timeout", body: { error } });
        } finally {
            await app.close();
        }
    });
});

function answerOf(bytes: string): { status: string | undefined; body: unknown } {
    const [head = "", body = ""] = bytes.split("\r\n\r\n");
    return { status: /^HTTP\/1\.1 (.*)$/m.exec(head)?.[1]?.trim(), body: JSON.parse(body) as unknown };
}

describe("An internal failure of the service", () => {
    it("is answered with 500 and the Error body, and logged with its cause but without the signature", async () => {
        const errors: string[] = [];
        const logger = { info: () => undefined, error: (message: string) => void errors.push(message) };
        await withFolder(async (folder) => {
            await withServiceOver(folder, { exporter: copyingExporter, logger }, async (running) => {
                const jobId = await running.start();
                await running.reaches(jobId, "completed");
                const path = await running.link(jobId);
                await rm(join(folder, "data", "bundles"), { recursive: true });
                await writeFile(join(folder, "data", "bundles"), "not a folder");
                const { status, body } = await running.request("GET", path, { key: null });
                assert.equal(status, 500);
                assert.deepEqual(body, { error: "The service failed unexpectedly; its log says why." });
                assert.equal(errors.length, 1);
                assert.match(errors[0] ?? "", new RegExp(`^GET /bundles/${jobId}\\.tar\\.gz failed: Error: ENOTDIR`));
            });
        });
    });
});

describe("The request log", () => {
    it("contains operation, method, path without query, status and duration of every request", async () => {
        await withService({ exporter: copyingExporter }, async ({ request, requests, start, reaches, link }) => {
            const jobId = await start();
            await reaches(jobId, "completed");
            const path = await link(jobId);
            requests.length = 0;
            await request("POST", jobs, { json: {} });
            await request("GET", path, { key: null });
            await request("GET", "/nowhere?token=secret");
            assert.deepEqual(
                requests.map(({ operation, method, path, status }) => ({ operation, method, path, status })),
                [
                    { operation: "start", method: "POST", path: jobs, status: 400 },
                    { operation: "download", method: "GET", path: `/bundles/${jobId}.tar.gz`, status: 200 },
                    { operation: undefined, method: "GET", path: "/nowhere", status: 404 },
                ],
            );
            assert.ok(requests.every(({ durationMs }) => durationMs > 0));
            assert.doesNotMatch(JSON.stringify(requests), /signature|secret|admin_/);
        });
    });

    it("includes requests that were refused because of their key", async () => {
        await withService({ exporter: copyingExporter }, async ({ request, requests }) => {
            await request("POST", jobs, { key: null });
            assert.deepEqual(
                requests.map(({ method, status }) => [method, status]),
                [["POST", 401]],
            );
        });
    });
});
