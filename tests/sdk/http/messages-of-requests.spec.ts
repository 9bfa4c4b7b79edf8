import { createTestClient } from "../support/client.js";
import { answer, bundle, fail, get, hang, job, start, specifyMessages } from "../support/messages.js";

describe("The message of a failed request names the failure, its place and the remedy", () => {
    specifyMessages([
        [
            "400 on a start",
            start,
            answer(400, "domain is not a host name"),
            ': the server answered 400 Bad Request: "domain is not a host name"',
            "Check the domain (a host name only: no scheme, port, path or trailing slash), version and paths.",
        ],
        [
            "401",
            get,
            answer(401, "invalid key"),
            ': the server answered 401 Unauthorized: "invalid key"',
            "The admin API key was not accepted: it is wrong, expired or rotated. Set adminApiKey to a key that " +
                "this platform accepts.",
        ],
        [
            "401 of the self-hosted service, which explains itself",
            get,
            answer(401, "The admin API key is unknown, has expired or was revoked.", {
                "static-export-service": "self-hosted",
            }),
            ': the server answered 401 Unauthorized: "The admin API key is unknown, has expired or was revoked."',
            "Set adminApiKey to a key that this platform accepts.",
        ],
        [
            "403 on a start",
            start,
            answer(403, "static export is not enabled"),
            ': the server answered 403 Forbidden: "static export is not enabled"',
            "Check the domain, and that the key may export it. On a hosted platform, static export also needs an " +
                "enterprise plan and must be enabled for the key's organisation.",
        ],
        [
            "403 of the self-hosted service on a start",
            start,
            answer(403, "not enabled", { "static-export-service": "self-hosted" }),
            ': the server answered 403 Forbidden: "not enabled"',
            "Check the domain, that the key may export it, and that the service was started with a site of this " +
                "domain (--site).",
        ],
        [
            "403 of the self-hosted service on a start with a read-only key",
            start,
            answer(403, "Admin API key r has the scopes read, but this request needs export.", {
                "static-export-service": "self-hosted",
            }),
            ': the server answered 403 Forbidden: "Admin API key r has the scopes read, but this request needs ' +
                'export."',
            "Use a key with this scope, or add the scope to this key with static-export key change.",
        ],
        [
            "403 of storage instead of the admin API",
            start,
            () =>
                Promise.resolve(
                    new Response("<?xml version='1.0'?>\n<Error><Code>AccessDenied</Code></Error>", { status: 403 }),
                ),
            ": the server answered 403 Forbidden",
            "Check baseUrl: S3-compatible storage answered at that URL instead of the admin API.",
        ],
        [
            "404",
            get,
            answer(404, "job not found"),
            ': the server answered 404 Not Found: "job not found"',
            "Check the job id, and that baseUrl is the address that started the job. If the job is gone, start a new one.",
        ],
        [
            "409 on a bundle",
            bundle,
            answer(409, "job has not finished"),
            ': the server answered 409 Conflict: "job has not finished"',
            "Wait until the job's status is completed, then request the bundle again. If it fails, start a new export.",
        ],
        [
            "409 on a start",
            start,
            answer(409, "an export of this domain is running"),
            ': the server answered 409 Conflict: "an export of this domain is running"',
            "Change what the server names, and try again.",
        ],
        [
            "429",
            get,
            answer(429, "slow down"),
            ': the server answered 429 Too Many Requests: "slow down"',
            "The server limits the rate of requests: wait, or run fewer exports at once, and try again.",
        ],
        [
            "500 without an error body",
            get,
            answer(500),
            ": the server answered 500 Internal Server Error",
            "The server returned an error: try again later. A job that was started keeps running and is not " +
                "started twice.",
        ],
        [
            "503",
            bundle,
            answer(503, "maintenance"),
            ': the server answered 503 Service Unavailable: "maintenance"',
            "The server returned an error: try again later. A job that was started keeps running and is not " +
                "started twice.",
        ],
        [
            "404 if the base address already contains the version",
            ({ baseUrl }) =>
                createTestClient(`${baseUrl}/v1`, { fetch: answer(404) }).client.staticExports.start({ domain: "d" }),
            answer(404),
            "Export of d: the server answered 404 Not Found (POST /v1/static-export/jobs at " +
                "https://api.example.com/admin/v1). Leave /v1 or /v2 out of baseUrl: each request adds it.",
        ],
        [
            "404 on a start",
            start,
            answer(404, "no such path"),
            ': the server answered 404 Not Found: "no such path"',
            "Check baseUrl: the server at that URL does not offer static exports.",
        ],
        [
            "404 of a gateway, which proves nothing",
            get,
            answer(404),
            ": the server answered 404 Not Found",
            "The answer is not an error in the API's format, so it may come from a gateway and proves nothing: check " +
                "baseUrl, and that the server behind the gateway is running.",
        ],
        [
            "408",
            get,
            answer(408),
            ": the server answered 408 Request Timeout",
            "The server returned an error: try again later. A job that was started keeps running and is not " +
                "started twice.",
        ],
        [
            "a status that nobody knows",
            get,
            answer(418),
            ": the server answered 418 I'm a Teapot",
            "Check baseUrl and the version of this package against the server's API.",
        ],
        [
            "a redirect to another origin",
            get,
            () => Promise.resolve(new Response("", { status: 302, headers: { location: "https://b.example.com/" } })),
            ": the server answered 302 Found",
            "Set baseUrl to the URL that the server redirects to: the key is not sent to another origin.",
        ],
        [
            "a name that cannot be resolved",
            get,
            fail("ENOTFOUND", "getaddrinfo"),
            ": the host name could not be resolved, ENOTFOUND",
            "Check the host name for typos, and that this machine's DNS can resolve it.",
        ],
        [
            "a refused connection",
            get,
            fail("ECONNREFUSED"),
            ": the connection was refused, ECONNREFUSED",
            "Check the host and port, and that the service is running.",
        ],
        [
            "an address that cannot be reached",
            get,
            fail("EHOSTUNREACH"),
            ": the address could not be reached, EHOSTUNREACH",
            "Check the network, VPN and firewall between this machine and the server.",
        ],
        [
            "a certificate that is not trusted",
            start,
            fail("SELF_SIGNED_CERT_IN_CHAIN"),
            ": no trusted TLS connection could be made, SELF_SIGNED_CERT_IN_CHAIN",
            "Check this machine's clock, and that the machine trusts the server's certificate (NODE_EXTRA_CA_CERTS " +
                "for a private certificate authority).",
        ],
        [
            "a lost connection",
            get,
            fail("ECONNRESET", "read"),
            ": the connection was lost before the answer was complete, ECONNRESET",
            "Check proxies between this machine and the server, and try again.",
        ],
        [
            "a server that does not speak HTTP",
            get,
            fail("HPE_INVALID_CONSTANT", "read"),
            ": the server does not speak HTTP, HPE_INVALID_CONSTANT",
            "Check the URL's scheme and port.",
        ],
        [
            "a request that timed out",
            get,
            hang,
            ": no complete answer within 20 ms",
            "Check that the server is healthy and reachable.",
        ],
        [
            "an answer that breaks the contract",
            get,
            job({ jobId: "se_42" }),
            ': the server answered 200, but "status" must be a non-empty string, got nothing',
            "Check that baseUrl is the URL of the admin API, and not of a login page or a proxy.",
        ],
        [
            "a page instead of an answer",
            get,
            () => Promise.resolve(new Response("<html>")),
            ": the server answered 200, but the answer is an HTML page, not JSON",
            "Check that baseUrl is the URL of the admin API, and not of a login page or a proxy.",
        ],
    ]);
});
