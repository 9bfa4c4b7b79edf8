import type { CallContext } from "./static-export-error.js";

/** Why there was no response. */
export type ConnectionFailure = "local" | "dns" | "tls" | "no-tls" | "refused" | "unreachable" | "reset" | "protocol";

/** Why a bundle was refused. */
export type BundleProblem =
    | "not-an-archive"
    | "corrupt"
    | "unsafe-path"
    | "unsafe-link"
    | "unsafe-entry"
    | "duplicate-entry"
    | "shared-name"
    | "too-many-bytes"
    | "too-many-files"
    | "no-pages"
    | "unusable-access"
    | "size-mismatch"
    | "digest-mismatch"
    | "unsafe-redirect"
    | "unsafe-address"
    | "folder-in-use";

const serverTrouble = {
    export: "The server returned an error: try again later. A job that was started keeps running and is not started twice.",
    history: "The server returned an error: try again later.",
    cancel: "The server returned an error: try again later. The job may have been cancelled already.",
    agent: "The server returned an error: try again later. A job that was started keeps running and is not started twice.",
    update: "The server returned an error: try again later. An update that was started continues and is not started twice.",
    administration: "The server returned an error: check whether the change was made, and try again later.",
    download: "The storage returned an error: try again later with the same link, or request a fresh one.",
};
const newKey = "Set adminApiKey to a key that this platform accepts.";
const enablement =
    "Check the domain, and that the key may export it. On a hosted platform, static export also needs an enterprise plan " +
    "and must be enabled for the key's organisation.";
const selfHostedEnablement =
    "Check the domain, that the key may export it, and that the service was started with a site of this domain (--site).";
const checkJobId =
    "Check the job id, and that baseUrl is the address that started the job. If the job is gone, start a new one.";

const noHistory =
    "Check baseUrl, and look for earlier jobs in the platform's own log: only the self-hosted service lists them.";

const noCancel = "Check the job id and baseUrl: only the self-hosted service cancels exports.";

const noAdministration =
    "Check the name and baseUrl: only the self-hosted service offers this, and only for keys with the scope keys.";

const changeNamed = "Change what the server names, and try again.";

const byStatus: Record<CallContext["subject"], Readonly<Record<number, string>>> = {
    export: {
        400: "Check the domain (a host name only: no scheme, port, path or trailing slash), version and paths.",
        401: `The admin API key was not accepted: it is wrong, expired or rotated. ${newKey}`,
        403: enablement,
        404: checkJobId,
        409:
            "Wait until the job's status is completed, then request the bundle again. If it fails, start a new " +
            "export.",
        429: "The server limits the rate of requests: wait, or run fewer exports at once, and try again.",
    },
    history: {
        400: "Check the domain: a host name only, no scheme, port, path or trailing slash.",
        401: `The admin API key was not accepted: it is wrong, expired or rotated. ${newKey}`,
        403: "Check the domain, and that the key may read its exports.",
        404: noHistory,
        405: noHistory,
        429: "The server limits the rate of requests: wait, and try again.",
    },
    cancel: {
        401: `The admin API key was not accepted: it is wrong, expired or rotated. ${newKey}`,
        403: "Check that the key may export the domain of this job: permission to read the job is not enough.",
        404: noCancel,
        405: noCancel,
        409: "The job has ended: there is nothing left to cancel.",
        429: "The server limits the rate of requests: wait, and try again.",
    },
    agent: {
        400: "Check the prompt, which needs at least 1 character.",
        401: `The admin API key was not accepted: it is wrong, expired or rotated. ${newKey}`,
        403: "The key cannot use this project: check the project id, and that the key belongs to its organisation.",
        404: "Check the project id and the job id.",
        409: "The job does not accept this request in its current status.",
        429: "The server limits the rate of requests: wait, and try again.",
    },
    update: {
        400: "Check the project id, and a preview's branch, which needs at least 1 character.",
        401: `The admin API key was not accepted: it is wrong, expired or rotated. ${newKey}`,
        403:
            "The key cannot update this project, or the deployment serves no previews: check the project id, the " +
            "key's scope (it must allow updates) and the plan.",
        404: "Check the project id and the status id, and that baseUrl belongs to the server that started the update.",
        429: "The server limits the rate of requests: wait, and try again.",
    },
    administration: {
        400: "Correct the value that the server names.",
        401: `The admin API key was not accepted: it is wrong, expired or rotated. ${newKey}`,
        403: "Use the service's own key, or a key that has at least the rights that it changes.",
        404: noAdministration,
        405: noAdministration,
        409: changeNamed,
        429: "The server limits the rate of requests: wait, and try again.",
    },
    download: {
        400: "The link was altered or truncated: request a fresh one (POST …/jobs/{jobId}/bundle).",
        401: "The link has expired or was altered: request a fresh one (POST …/jobs/{jobId}/bundle).",
        403: "The link has expired or was altered: request a fresh one (POST …/jobs/{jobId}/bundle).",
        404: "The archive no longer exists: request a fresh link (POST …/jobs/{jobId}/bundle).",
        410: "The archive no longer exists: request a fresh link (POST …/jobs/{jobId}/bundle).",
        429: "The storage limits the rate of requests: wait, and try again.",
    },
};

/** The next step for each kind of failure of a call. */
export const advice = {
    connection: {
        local:
            "If a module is missing, install this package again. Check HTTPS_PROXY and HTTP_PROXY: they must be http:// " +
            "or https:// URLs.",
        dns: "Check the host name for typos, and that this machine's DNS can resolve it.",
        tls:
            "Check this machine's clock, and that the machine trusts the server's certificate " +
            "(NODE_EXTRA_CA_CERTS for a private certificate authority).",
        "no-tls": "Check the URL's scheme and port: https:// needs a port that speaks TLS.",
        refused: "Check the host and port, and that the service is running.",
        unreachable: "Check the network, VPN and firewall between this machine and the server.",
        reset: "Check proxies between this machine and the server, and try again.",
        protocol: "Check the URL's scheme and port.",
    } satisfies Record<ConnectionFailure, string>,
    requestTimeout: "Check that the server is healthy and reachable.",
    idleDownload: "Check the network and the storage behind the link.",
    invalidResponse: "Check that baseUrl is the URL of the admin API, and not of a login page or a proxy.",
    jobFailed: {
        export: "start a new export: a failed job cannot be resumed.",
        agent: "create a new agent job: a failed one cannot be resumed.",
        update: "start a new update: a failed one cannot be resumed.",
    },
    pollTimeout: {
        export:
            "The job keeps running, so do not start a new export: wait for it again, with a longer timeout if " +
            "necessary.",
        agent:
            "The job keeps running, so do not start a new one: wait for it again, with a longer timeout if " +
            "necessary.",
        update:
            "The update continues, so do not start a new one: wait for it again, with a longer timeout if " +
            "necessary.",
    },
    ambiguousStart:
        "Look for a job of this domain on the platform or in its log: " +
        "if there is one, adopt it by setting its jobId. If there is none, start again.",
    ambiguousUpdate:
        "Look for an update of this project on the platform: if there is one, wait for its status id. If there is " +
        "none, start again.",
    ambiguousPrompt: "Before you send the prompt again, check on the platform whether the agent is working on it.",
    bundle: {
        "not-an-archive": "Check that the link is the bundleUrl of an export.",
        corrupt: "Download the archive again. If that does not help, export again.",
        "unsafe-path": "Do not serve this archive, and report it to its author.",
        "unsafe-link": "Do not serve this archive, and report it to its author.",
        "unsafe-entry": "Do not serve this archive, and report it to its author.",
        "duplicate-entry": "Do not serve this archive, and report it to its author.",
        "shared-name": "Rename one of them, or unpack the archive on a disk that distinguishes such names.",
        "too-many-bytes": "If the site really is that large, raise maxBytes (or maxArchiveBytes, if it is set).",
        "too-many-files": "If the site really is that large, raise maxFiles.",
        "no-pages": "Check that the job exported a documentation site.",
        "unusable-access": "Do not serve this bundle: export the site again.",
        "size-mismatch": "Download the archive again. If that does not help, export again.",
        "digest-mismatch": "Download the archive again. If that does not help, the archive is not the expected one.",
        "unsafe-redirect": "Request a fresh link, and check the storage behind it.",
        "unsafe-address": "Check that the link is the bundleUrl of an export.",
        "folder-in-use": "Name a folder that does not exist yet, or an empty one.",
    } satisfies Record<BundleProblem, string>,
    fixedLimit: "This limit cannot be raised: export fewer pages, or split the site.",
};

/** Selects the kind of job whose advice applies to a call. */
export function jobKindOf({ subject }: Pick<CallContext, "subject">): "export" | "agent" | "update" {
    return subject === "agent" || subject === "update" ? subject : "export";
}

export const gatewayAdvice =
    "The answer is not an error in the API's format, so it may come from a gateway and proves nothing: check " +
    "baseUrl, and that the server behind the gateway is running.";

export const storageAdvice = "Check baseUrl: S3-compatible storage answered at that URL instead of the admin API.";

/**
 * Returns the advice for a status. Every status has advice.
 *
 * @param isSelfHosted - whether the self-hosted service answered
 * @param serverMessage - why the server refused the request
 */
export function statusAdvice(
    { subject, jobId, url }: CallContext,
    status: number,
    isSelfHosted = false,
    serverMessage = "",
): string {
    if (status === 404 && /\/v[12]\/v[12]\//.test(url)) {
        return "Leave /v1 or /v2 out of baseUrl: each request adds it.";
    }
    if (status === 403 && isSelfHosted && /^Admin API key .* has the scopes /.test(serverMessage)) {
        return "Use a key with this scope, or add the scope to this key with static-export key change.";
    }
    // The service's own message says why the key was refused.
    if (status === 401 && isSelfHosted && serverMessage !== "") {
        return newKey;
    }
    if (subject === "export" && status === 403 && isSelfHosted) {
        return selfHostedEnablement;
    }
    if (subject === "export" && jobId === undefined) {
        if (status === 404) {
            return "Check baseUrl: the server at that URL does not offer static exports.";
        }
        if (status === 409) {
            return changeNamed;
        }
    }
    const known = byStatus[subject][status];
    if (known !== undefined) {
        return known;
    }
    if (status === 407) {
        return "The proxy requires a user and a password: set HTTPS_PROXY to http://user:password@host:port.";
    }
    if (status >= 500 || status === 408) {
        return serverTrouble[subject];
    }
    if (status < 400) {
        return subject === "download"
            ? "Request a fresh link, and check the storage behind it."
            : "Set baseUrl to the URL that the server redirects to: the key is not sent to another origin.";
    }
    return subject === "download"
        ? "Request a fresh link (POST …/jobs/{jobId}/bundle)."
        : "Check baseUrl and the version of this package against the server's API.";
}
