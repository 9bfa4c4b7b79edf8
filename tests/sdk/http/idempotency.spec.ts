import assert from "node:assert/strict";
import { inspect } from "node:util";
import {
    type AdminClient,
    AmbiguousStartError,
    ConnectionError,
    HttpError,
    type StartOptions,
} from "@pulumi-static-export/sdk";
import { createTestClient, rejectionOf } from "../support/client.js";
import {
    json,
    loseConnection,
    neverAnswer,
    type RecordedRequest,
    type Reply,
    text,
    withServer,
} from "../support/http-server.js";

const honoured = { "idempotency-key-max-age": "86400" };
const agentJob = {
    id: "aj_7",
    status: "active",
    source: { repository: "https://git.example.com/docs", ref: null },
    model: "m",
    createdAt: "2026-11-20T12:00:00Z",
};
type Start = (client: AdminClient, options?: StartOptions) => Promise<unknown>;
const startExport: Start = (client, options) => client.staticExports.start({ domain: "docs.example.com" }, options);
const starts: [string, Start, unknown][] = [
    ["start of an export", startExport, { jobId: "se_42" }],
    [
        "creation of an agent job",
        (client, options) => client.agentJobs.create("p1", { prompt: "go" }, options),
        agentJob,
    ],
    [
        "message to an agent job",
        (client, options) => client.agentJobs.sendMessage("p1", "aj_7", { prompt: "go" }, options),
        agentJob,
    ],
];

/** Loses the responses to the first `count` starts; every response says that keys are honoured. */
function losing(count: number, answer: unknown): Reply {
    let lost = 0;
    return (response, request) => {
        if (request.method === "GET") {
            json(404, { error: "no such job" }, honoured)(response, request);
        } else if (lost < count) {
            lost += 1;
            loseConnection(response, request);
        } else {
            json(202, answer, honoured)(response, request);
        }
    };
}

const keyOf = ({ headers }: RecordedRequest) => headers["idempotency-key"];
const postsOf = (requests: readonly RecordedRequest[]) => requests.filter(({ method }) => method === "POST");

for (const [name, start, answer] of starts) {
    describe(`The Idempotency-Key of the ${name}`, () => {
        it("is random for each call", async () => {
            await withServer([json(202, answer)], async ({ baseUrl, requests }) => {
                const { client } = createTestClient(baseUrl);
                await start(client);
                await start(client);
                const keys = requests.map(keyOf);
                assert.match(String(keys[0]), /^[0-9a-f-]{36}$/);
                assert.notEqual(keys[0], keys[1]);
            });
        });

        it("is the caller's key if given", async () => {
            await withServer([json(202, answer)], async ({ baseUrl, requests }) => {
                await start(createTestClient(baseUrl).client, { idempotencyKey: "k1" });
                assert.deepEqual(requests.map(keyOf), ["k1"]);
            });
        });

        it("is not used again after an abort between two attempts", async () => {
            const stop = new AbortController();
            const busy: Reply = (response, request) => {
                stop.abort(new Error("Ctrl-C"));
                text(429, "")(response, request);
            };
            await withServer([busy, json(202, answer)], async ({ baseUrl, requests }) => {
                const call = start(createTestClient(baseUrl).client, { waitSignal: stop.signal });
                await assert.rejects(call, /^Error: Ctrl-C$/);
                assert.equal(requests.length, 1);
            });
        });

        it("is sent although the caller aborts the wait during the request, which may start something", async () => {
            const stop = new AbortController();
            const slow: Reply = (response, request) => {
                stop.abort(new Error("Ctrl-C"));
                json(202, answer)(response, request);
            };
            await withServer([slow], async ({ baseUrl, requests }) => {
                await start(createTestClient(baseUrl).client, { waitSignal: stop.signal });
                assert.equal(requests.length, 1);
            });
        });

        it("is the same for every attempt of one call", async () => {
            await withServer([text(429, ""), json(202, answer)], async ({ baseUrl, requests }) => {
                await start(createTestClient(baseUrl).client);
                assert.equal(requests.length, 2);
                assert.equal(new Set(requests.map(keyOf)).size, 1);
            });
        });
    });

    describe(`The ${name} after its response was lost`, () => {
        it("is retried with the same key if the server reports that it honours keys", async () => {
            await withServer([losing(1, answer)], async ({ baseUrl, requests }) => {
                await start(createTestClient(baseUrl).client);
                assert.deepEqual(
                    requests.map(({ method }) => method),
                    ["POST", "GET", "POST"],
                );
                assert.equal(new Set(postsOf(requests).map(keyOf)).size, 1);
                assert.equal(requests[1] && keyOf(requests[1]), undefined);
            });
        });

        it("is retried immediately if an earlier response reported that the server honours keys", async () => {
            await withServer([json(202, answer, honoured), losing(1, answer)], async ({ baseUrl, requests }) => {
                const { client } = createTestClient(baseUrl);
                await start(client);
                await start(client);
                assert.deepEqual(
                    requests.map(({ method }) => method),
                    ["POST", "POST", "POST"],
                );
                const [first, second, third] = requests.map(keyOf);
                assert.ok(second === third && second !== first);
            });
        });

        it("may be the caller's own job if the server says that it repeats an answer", async () => {
            const replayed = { ...honoured, "idempotency-replayed": "true" };
            const answers = (count: number): Reply[] => [
                ...Array.from({ length: count }, () => loseConnection),
                json(202, answer, replayed),
            ];
            for (const [lost, expected] of [
                [0, { isReplayed: true }],
                [1, { isReplayed: true, mayBeOwn: true }],
            ] as const) {
                await withServer([json(404, {}, honoured), ...answers(lost)], async ({ baseUrl }) => {
                    const { client } = createTestClient(baseUrl);
                    await client.idempotencyKeyMaxAgeMs();
                    const { isReplayed, mayBeOwn } = (await start(client)) as Record<string, unknown>;
                    assert.deepEqual({ isReplayed, ...(mayBeOwn !== undefined && { mayBeOwn }) }, expected);
                });
            }
        });

        it("is also retried if the request timed out", async () => {
            const replies = [json(404, {}, honoured), neverAnswer, json(202, answer, honoured)];
            await withServer(replies, async ({ baseUrl, requests }) => {
                const { client } = createTestClient(baseUrl, { requestTimeoutMs: 1000 });
                await rejectionOf(start(client));
                await start(client);
                assert.equal(new Set(requests.slice(1).map(keyOf)).size, 1);
            });
        });

        it("is ambiguous after the usual number of attempts", async () => {
            await withServer([losing(Infinity, answer)], async ({ baseUrl, requests }) => {
                const error = await rejectionOf<AmbiguousStartError>(start(createTestClient(baseUrl).client));
                assert.ok(error instanceof AmbiguousStartError, inspect(error));
                assert.match(error.message, /a repetition of the request, with the same Idempotency-Key, failed too/);
                assert.equal(postsOf(requests).length, 5);
            });
        });

        it("stays ambiguous if the retry is refused", async () => {
            const replies = [json(202, answer, honoured), loseConnection, json(403, { error: "no" }, honoured)];
            await withServer(replies, async ({ baseUrl }) => {
                const { client } = createTestClient(baseUrl);
                await start(client);
                const error = await rejectionOf<AmbiguousStartError>(start(client));
                assert.ok(error instanceof AmbiguousStartError, inspect(error));
            });
        });

        for (const [what, headers] of [
            ["says nothing of keys", {}],
            ["keeps them for no time", { "idempotency-key-max-age": "0" }],
            ["says something else", { "idempotency-key-max-age": "yes" }],
        ] as const) {
            it(`is not retried if the server ${what}`, async () => {
                const replies = [loseConnection, json(404, { error: "no such job" }, headers), json(202, answer)];
                await withServer(replies, async ({ baseUrl, requests }) => {
                    const error = await rejectionOf<AmbiguousStartError>(start(createTestClient(baseUrl).client));
                    assert.ok(error instanceof AmbiguousStartError, inspect(error));
                    assert.equal(postsOf(requests).length, 1);
                });
            });
        }

        it("is not retried if the request for the lifetime of keys also receives no response", async () => {
            await withServer([loseConnection], async ({ baseUrl, requests }) => {
                const error = await rejectionOf<AmbiguousStartError>(start(createTestClient(baseUrl).client));
                assert.ok(error instanceof AmbiguousStartError, inspect(error));
                assert.equal(postsOf(requests).length, 1);
            });
        });

        it("is not retried after the deadline", async () => {
            await withServer([losing(1, answer)], async ({ baseUrl, requests }) => {
                const { client, clock } = createTestClient(baseUrl);
                const deadlineMs = clock.now();
                const error = await rejectionOf<AmbiguousStartError>(start(client, { deadlineMs }));
                assert.ok(error instanceof AmbiguousStartError, inspect(error));
                assert.equal(postsOf(requests).length, 1);
            });
        });
    });
}

describe("idempotencyKeyMaxAgeMs", () => {
    it("asks the server once, about a job that cannot exist, and remembers the response", async () => {
        await withServer([json(404, { error: "no such job" }, honoured)], async ({ baseUrl, requests }) => {
            const { client } = createTestClient(baseUrl);
            assert.equal(await client.idempotencyKeyMaxAgeMs(), 86_400_000);
            assert.equal(await client.idempotencyKeyMaxAgeMs(), 86_400_000);
            assert.equal(requests.length, 1);
            assert.match(String(requests[0]?.url), /^\/v1\/static-export\/jobs\/[0-9a-f-]{36}$/);
        });
    });

    it("sends no request if an earlier response, even an error, contained the lifetime", async () => {
        await withServer([json(401, { error: "no" }, honoured)], async ({ baseUrl, requests }) => {
            const { client } = createTestClient(baseUrl);
            assert.ok((await rejectionOf(startExport(client))) instanceof HttpError);
            assert.equal(await client.idempotencyKeyMaxAgeMs(), 86_400_000);
            assert.equal(requests.length, 1);
        });
    });

    it("returns 0 if the server does not report a lifetime, and asks again at the next call", async () => {
        await withServer([json(404, { error: "no such job" })], async ({ baseUrl, requests }) => {
            const { client } = createTestClient(baseUrl);
            assert.equal(await client.idempotencyKeyMaxAgeMs(), 0);
            assert.equal(await client.idempotencyKeyMaxAgeMs(), 0);
            assert.equal(requests.length, 2);
        });
    });

    it("rejects if no response or only a gateway's response arrives, because the server may honour keys", async () => {
        const { client } = createTestClient("http://127.0.0.1:1");
        assert.ok((await rejectionOf(client.idempotencyKeyMaxAgeMs())) instanceof ConnectionError);
        await withServer([text(502, "Bad Gateway")], async ({ baseUrl }) => {
            const { client } = createTestClient(baseUrl);
            assert.ok((await rejectionOf(client.idempotencyKeyMaxAgeMs())) instanceof HttpError);
        });
    });

    it("remembers the lifetime after a response without a lifetime, which a proxy may have sent", async () => {
        await withServer([json(404, {}, honoured), text(403, "blocked")], async ({ baseUrl }) => {
            const { client } = createTestClient(baseUrl);
            await client.idempotencyKeyMaxAgeMs();
            await rejectionOf(client.staticExports.get("se_42"));
            assert.equal(await client.idempotencyKeyMaxAgeMs(), 86_400_000);
        });
    });

    it("rejects with the signal's reason when aborted", async () => {
        const { client } = createTestClient("http://127.0.0.1:1");
        const reason = new Error("stop");
        assert.equal(await rejectionOf(client.idempotencyKeyMaxAgeMs({ signal: AbortSignal.abort(reason) })), reason);
    });
});
