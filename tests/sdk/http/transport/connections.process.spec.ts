import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ConnectionError, HttpError, RequestTimeoutError } from "@pulumi-static-export/sdk";
import { adminApiKey, createTestClient, rejectionOf } from "../../support/client.js";
import { json, type Reply, text, withServer } from "../../support/http-server.js";

const running = json(200, { status: "running" });

describe("Connections to the API", () => {
    it("are reused", async () => {
        await withServer([running], async ({ baseUrl, requests, connections }) => {
            const { client } = createTestClient(baseUrl);
            for (let i = 0; i < 5; i += 1) {
                await client.staticExports.get("se_42");
            }
            assert.deepEqual([requests.length, connections()], [5, 1]);
            client.close();
        });
    });

    it("are limited in number, even if many calls run at the same time", async () => {
        await withServer([running], async ({ baseUrl, requests, connections }) => {
            const { client } = createTestClient(baseUrl);
            await Promise.all(Array.from({ length: 200 }, () => client.staticExports.get("se_42")));
            assert.equal(requests.length, 200);
            assert.ok(connections() <= 32, `${connections()} connections`);
            client.close();
        });
    });

    it("do not time out calls that wait for their turn", async () => {
        const slow: Reply = (response, request) => setTimeout(() => running(response, request), 100);
        await withServer([slow], async ({ baseUrl, requests }) => {
            // Each call takes a tenth of a second. All calls together, 32 at a time, take longer than the timeout of a
            // single call.
            const { client } = createTestClient(baseUrl, { requestTimeoutMs: 2000 });
            await Promise.all(Array.from({ length: 800 }, () => client.staticExports.get("se_42")));
            assert.equal(requests.length, 800);
            client.close();
        });
    });

    it("drop calls whose turn comes after their deadline", async () => {
        let answerAll = (): void => undefined;
        const answered = new Promise<void>((resolve) => (answerAll = resolve));
        const { client, clock } = createTestClient("https://api.example.com", {
            fetch: async () => {
                sent += 1;
                await answered;
                return new Response('{"status":"running"}');
            },
        });
        let sent = 0;
        const deadlineMs = clock.now() + 60_000;
        const calls = Array.from({ length: 40 }, () => client.staticExports.get("se_42", { deadlineMs }));
        await new Promise((resolve) => setImmediate(resolve));
        // A response may arrive up to five seconds after the call's deadline.
        clock.pass(65_000);
        answerAll();
        const failures = (await Promise.allSettled(calls)).filter(({ status }) => status === "rejected");
        assert.deepEqual([sent, failures.length], [32, 8]);
        assert.ok(
            failures.every((failure) => (failure as PromiseRejectedResult).reason instanceof RequestTimeoutError),
        );
    });

    it("serve many calls with one abort signal without causing a warning", async () => {
        const warnings: Error[] = [];
        const warn = (warning: Error) => warnings.push(warning);
        process.on("warning", warn);
        await withServer([running], async ({ baseUrl }) => {
            const { client } = createTestClient(baseUrl);
            const { signal } = new AbortController();
            await Promise.all(Array.from({ length: 100 }, () => client.staticExports.get("se_42", { signal })));
            client.close();
        });
        process.off("warning", warn);
        assert.deepEqual(warnings, []);
    });

    it("do not keep the process alive when idle, even if the client is not closed", async () => {
        await withServer([running], async ({ baseUrl, requests }) => {
            const program = `
                import { AdminClient } from "@pulumi-static-export/sdk";
                const client = new AdminClient({ baseUrl: "${baseUrl}", adminApiKey: "${adminApiKey}" });
                await client.staticExports.get("se_42");
            `;
            await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], {
                cwd: fileURLToPath(new URL(".", import.meta.url)),
                timeout: 5_000,
            });
            assert.equal(requests.length, 1);
        });
    });
});

describe("A server that does not speak TLS", () => {
    it("is reported as a server without TLS; the request is not retried, and counts as never sent", async () => {
        await withServer([running], async ({ baseUrl }) => {
            const { client, clock } = createTestClient(baseUrl.replace("http:", "https:"));
            const error = await rejectionOf<ConnectionError>(client.staticExports.get("se_42"));
            assert.ok(error instanceof ConnectionError);
            assert.deepEqual([error.failure, error.neverSent, clock.sleptMs], ["no-tls", true, []]);
        });
    });
});

describe("A redirect of the API", () => {
    it("is followed within the origin", async () => {
        const redirect = text(307, "", { location: "/v1/static-export/jobs/se_43" });
        await withServer([redirect, running], async ({ baseUrl, requests }) => {
            await createTestClient(baseUrl).client.staticExports.get("se_42");
            assert.deepEqual(
                requests.map(({ url }) => url),
                ["/v1/static-export/jobs/se_42", "/v1/static-export/jobs/se_43"],
            );
        });
    });

    it("to another origin causes an error, and the key is not sent there", async () => {
        await withServer([running], async (other) => {
            await withServer([text(302, "", { location: `${other.baseUrl}/x` })], async ({ baseUrl }) => {
                const error = await rejectionOf<HttpError>(createTestClient(baseUrl).client.staticExports.get("se_42"));
                assert.ok(error instanceof HttpError);
                assert.equal(error.status, 302);
                assert.equal(other.requests.length, 0);
            });
        });
    });

    it("is not followed indefinitely", async () => {
        const circle: Reply = (response, { url }) => response.writeHead(302, { location: url }).end();
        await withServer([circle], async ({ baseUrl, requests }) => {
            const error = await rejectionOf<HttpError>(createTestClient(baseUrl).client.staticExports.get("se_42"));
            assert.equal(error.status, 302);
            assert.equal(requests.length, 6);
        });
    });

    it("does not turn a POST into a GET", async () => {
        const redirect = text(303, "", { location: "/v1/static-export/jobs/se_42" });
        await withServer([redirect, running], async ({ baseUrl, requests }) => {
            const error = await rejectionOf<HttpError>(
                createTestClient(baseUrl).client.staticExports.createBundle("se_42"),
            );
            assert.deepEqual([error.status, requests.length], [303, 1]);
        });
    });
});
