import type { BundleProblem, ConnectionFailure } from "./problems.js";
import type { CallContext } from "./static-export-error.js";

const serverTrouble = {
    export: "The server returned an error: try again later. What was started goes on, and is not started twice.",
    agent: "The server returned an error: try again later. What was started goes on, and is not started twice.",
    download: "The storage returned an error: try again later with the same link, or ask for a fresh one.",
};
const newKey = "Set adminApiKey to a key that this platform accepts.";
const enablement =
    "Static export needs an enterprise plan and must be enabled for the organisation: " +
    "ask the platform to enable it, and check that the key belongs to that organisation.";
const checkJobId =
    "Check the job id, and that baseUrl is the address that started the job; a job that is gone must be started anew.";

const byStatus: Record<CallContext["subject"], Readonly<Record<number, string>>> = {
    export: {
        400: "Check the domain (a host name only: no scheme, port, path or trailing slash), version and paths.",
        401: `The admin API key was not accepted: it is wrong, expired or rotated. ${newKey}`,
        403: enablement,
        404: checkJobId,
        409: "The job has not finished: wait until its status is completed, then ask for the bundle again.",
        429: "The server limits how often it is asked: wait, or run fewer exports at once, and try again.",
    },
    agent: {
        400: "Check the prompt: at least 1 character.",
        401: `The admin API key was not accepted: it is wrong, expired or rotated. ${newKey}`,
        403: "The key may not use this project: check the project id, and that the key belongs to its organisation.",
        404: "Check the project id and the job id.",
        409: "The job does not accept this in its present status.",
        429: "The server limits how often it is asked: wait, and try again.",
    },
    download: {
        400: "The link was altered or cut off: ask for a fresh one (POST …/jobs/{jobId}/bundle).",
        401: "The link has expired or was altered: ask for a fresh one (POST …/jobs/{jobId}/bundle).",
        403: "The link has expired or was altered: ask for a fresh one (POST …/jobs/{jobId}/bundle).",
        404: "The archive is no longer there: ask for a fresh link (POST …/jobs/{jobId}/bundle).",
        410: "The archive is no longer there: ask for a fresh link (POST …/jobs/{jobId}/bundle).",
        429: "The storage limits how often it is asked: wait, and try again.",
    },
};

/** What to do next, for each way a call can fail. The only place that says it. */
export const advice = {
    connection: {
        local:
            "Install this package again where a module is missing, and check HTTPS_PROXY and HTTP_PROXY: they must name " +
            "an http:// or https:// proxy.",
        dns: "Check the host name for typing errors, and that this machine's DNS can resolve it.",
        tls:
            "Check the clock of this machine, and that it trusts the server's certificate " +
            "(NODE_EXTRA_CA_CERTS for a private authority).",
        "no-tls": "Check scheme and port of the address: with https:// a port is needed that speaks TLS.",
        refused: "Check host and port, and that the service is running.",
        unreachable: "Check the network, VPN and firewall between this machine and the server.",
        reset: "Check proxies between this machine and the server, and try again.",
        protocol: "Check scheme and port of the address.",
    } satisfies Record<ConnectionFailure, string>,
    requestTimeout: "Check that the server is well and reachable, or allow it more time with requestTimeoutMs.",
    idleDownload: "Check the network and the storage behind the link, or allow more time with idleTimeoutMs.",
    invalidResponse: "Check that baseUrl is the address of the admin API, and not of a login page or a proxy.",
    exportJobFailed: "start a new export: a failed job cannot be resumed.",
    agentJobFailed: "create a new agent job: a failed one cannot be resumed.",
    exportPollTimeout: "The job goes on, and no new export is needed: wait for it again, or allow a longer timeout.",
    agentPollTimeout: "The job goes on, and no new one is needed: wait for it again, or allow a longer timeout.",
    ambiguousStart:
        "Look at the platform, or in its log, for a job of this domain: " +
        "if there is one, adopt it by setting its jobId; if there is none, start again.",
    ambiguousPrompt: "Look at the platform whether the agent works on the prompt before you send it again.",
    bundle: {
        "not-an-archive": "Check that the link is the bundleUrl of an export.",
        corrupt: "Download it again; when that does not help, export again.",
        "unsafe-path": "Do not serve this archive, and report it to whoever made it.",
        "unsafe-link": "Do not serve this archive, and report it to whoever made it.",
        "unsafe-entry": "Do not serve this archive, and report it to whoever made it.",
        "duplicate-entry": "Do not serve this archive, and report it to whoever made it.",
        "too-many-bytes": "If the site really is that large, raise maxBytes (or maxArchiveBytes, where it is set).",
        "too-many-files": "If the site really is that large, raise maxFiles.",
        "no-pages": "Check that the job exported a documentation site.",
        "size-mismatch": "Download it again; when that does not help, export again.",
        "digest-mismatch": "Download it again; when that does not help, the archive is not the one that was expected.",
        "unsafe-redirect": "Ask for a fresh link, and check the storage behind it.",
        "unsafe-address": "Check that the link is the bundleUrl of an export.",
        "folder-in-use": "Name a folder that does not exist yet, or an empty one.",
    } satisfies Record<BundleProblem, string>,
};

/** The advice for a status; every status has one. */
export function statusAdvice({ subject, jobId }: CallContext, status: number): string {
    if (subject === "export" && status === 404 && jobId === undefined) {
        return "Check baseUrl: what answers there knows no static exports.";
    }
    const known = byStatus[subject][status];
    if (known !== undefined) {
        return known;
    }
    if (status === 407) {
        return "The proxy asks for a user and a password: write them into HTTPS_PROXY, as http://user:password@host:port.";
    }
    if (status >= 500 || status === 408) {
        return serverTrouble[subject];
    }
    if (status >= 300 && status < 400) {
        return subject === "download"
            ? "Ask for a fresh link, and check the storage behind it."
            : "Set baseUrl to the address the server really has: the key is not sent along to another one.";
    }
    return subject === "download"
        ? "Ask for a fresh link (POST …/jobs/{jobId}/bundle)."
        : "Check baseUrl and the version of this package against the server's API.";
}
