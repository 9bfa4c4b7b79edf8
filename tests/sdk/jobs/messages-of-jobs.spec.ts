import {
    agentJob,
    answer,
    createAgentJob,
    download,
    fail,
    getAgentJob,
    hang,
    job,
    start,
    wait,
    waitForAgentJob,
    specifyMessages,
} from "../support/messages.js";

describe("The message of a lost start, a wait or a download names the failure, its place and the remedy", () => {
    specifyMessages([
        [
            "a start that may have worked: 502",
            start,
            answer(502),
            ": the server answered 502 Bad Gateway; an export job may or may not have been started, and the " +
                "request was not repeated",
            "Look for a job of this domain on the platform or in its log: if there is one, adopt it by setting " +
                "its jobId. If there is none, start again.",
        ],
        [
            "a start that may have worked: a lost connection",
            start,
            fail("ECONNRESET", "read"),
            ": the connection was lost before the answer was complete, ECONNRESET; an export job may or may not " +
                "have been started, and the request was not repeated",
            "Look for a job of this domain on the platform or in its log: if there is one, adopt it by setting " +
                "its jobId. If there is none, start again.",
        ],
        [
            "a start that may have worked: an answer without the id",
            start,
            job({}),
            ': the server answered 200, but "jobId" must be a non-empty string, got nothing; an export job may or ' +
                "may not have been started, and the request was not repeated",
            "Look for a job of this domain on the platform or in its log: if there is one, adopt it by setting " +
                "its jobId. If there is none, start again.",
        ],
        [
            "a failed job",
            wait,
            job({ status: "failed", error: "quota exceeded" }),
            " failed: quota exceeded",
            "Correct the reason, then start a new export: a failed job cannot be resumed.",
        ],
        [
            "a failed job that gives no reason",
            wait,
            job({ status: "failed" }),
            " failed: the API gives no reason",
            "Look up the reason on the platform, then start a new export: a failed job cannot be resumed.",
        ],
        [
            "a job that is not done at the deadline",
            wait,
            job({ status: "running" }),
            ' was not done after 90 s; its last status was "running"',
            "The job keeps running, so do not start a new export: wait for it again, with a longer timeout if " +
                "necessary.",
        ],
        [
            "a job whose status was never seen",
            wait,
            answer(503),
            " was not done after 90 s; its status was never seen, and the last poll failed: the server answered " +
                "503 Service Unavailable",
            "The job keeps running, so do not start a new export: wait for it again, with a longer timeout if necessary.",
        ],
        [
            "a key that is rotated during the wait",
            wait,
            answer(401),
            ": the server answered 401 Unauthorized",
            "The admin API key was not accepted: it is wrong, expired or rotated. Set adminApiKey to a key that " +
                "this platform accepts.",
        ],
        [
            "403 on an agent job",
            getAgentJob,
            answer(403),
            ": the server answered 403 Forbidden",
            "The key cannot use this project: check the project id, and that the key belongs to its " + "organisation.",
        ],
        [
            "404 on an agent job",
            getAgentJob,
            answer(404, "job not found"),
            ': the server answered 404 Not Found: "job not found"',
            "Check the project id and the job id.",
        ],
        [
            "400 on an agent job",
            createAgentJob,
            answer(400, "prompt is required"),
            ': the server answered 400 Bad Request: "prompt is required"',
            "Check the prompt, which needs at least 1 character.",
        ],
        [
            "an agent job that may have been created",
            createAgentJob,
            answer(500),
            ": the server answered 500 Internal Server Error; the agent may or may not have received the prompt, and " +
                "the request was not repeated",
            "Before you send the prompt again, check on the platform whether the agent is working on it.",
        ],
        [
            "a failed agent job",
            waitForAgentJob,
            job({ ...agentJob, status: "failed" }),
            " failed: the API gives no reason",
            "Look up the reason on the platform, then create a new agent job: a failed one cannot be resumed.",
        ],
        [
            "an agent job that is not done at the deadline",
            waitForAgentJob,
            job({ ...agentJob, status: "active" }),
            ' was not done after 90 s; its last status was "active"',
            "The job keeps running, so do not start a new one: wait for it again, with a longer timeout if necessary.",
        ],
        [
            "a link that has expired",
            download,
            answer(403),
            ": the server answered 403 Forbidden",
            "The link has expired or was altered: request a fresh one (POST …/jobs/{jobId}/bundle).",
        ],
        [
            "a link whose archive is gone",
            download,
            answer(404),
            ": the server answered 404 Not Found",
            "The archive no longer exists: request a fresh link (POST …/jobs/{jobId}/bundle).",
        ],
        [
            "a storage that has an error",
            download,
            answer(500),
            ": the server answered 500 Internal Server Error",
            "The storage returned an error: try again later with the same link, or request a fresh one.",
        ],
        [
            "a storage with another status",
            download,
            answer(418),
            ": the server answered 418 I'm a Teapot",
            "Request a fresh link (POST …/jobs/{jobId}/bundle).",
        ],
        [
            "a storage whose redirect names no address",
            download,
            answer(302),
            ": the server answered 302 Found",
            "Request a fresh link, and check the storage behind it.",
        ],
        [
            "a storage that cannot be reached",
            download,
            fail("ENOTFOUND", "getaddrinfo"),
            ": the host name could not be resolved, ENOTFOUND",
            "Check the host name for typos, and that this machine's DNS can resolve it.",
        ],
        [
            "a storage that sends nothing",
            download,
            hang,
            ": nothing arrived for 20 ms",
            "Check the network and the storage behind the link.",
        ],
        [
            "a link that gives no archive",
            download,
            () => Promise.resolve(new Response("<html>")),
            "Bundle refused: the bundle is not a gzipped tar archive (.tar.gz). Check that the link is " +
                "the bundleUrl of an export.",
        ],
    ]);
});
