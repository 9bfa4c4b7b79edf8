import { once } from "node:events";
import { connect } from "node:net";
import { apiSettings, apiVariables } from "@pulumi-static-export/contract";
import { type AdminClient, HttpError, StaticExportError } from "@pulumi-static-export/sdk";
import { ProxySettingError } from "@pulumi-static-export/sdk";
import { describeProxy, findProxy } from "@pulumi-static-export/sdk/internal";
import { type ClientOptions, createClient } from "../command-line/admin-client.js";
import { UsageError } from "../command-line/usage-error.js";
import { type DoctorOptions } from "./examination.js";
import { error, type Finding, ok, skipped, warning } from "./finding.js";

/** How long a proxy may take to accept a connection. */
const maxProxyMs = 3000;

/** An id that no job has: a 404 for it shows that the key is accepted, without starting a job. */
const noJob = "static-export-doctor";

/**
 * Checks address, proxy and key with requests that start no job.
 * @param isNeeded whether a missing address is an error
 */
export async function checkService(
    options: ClientOptions & Pick<DoctorOptions, "project">,
    env: NodeJS.ProcessEnv,
    isNeeded: boolean,
): Promise<Finding[]> {
    const address = options.baseUrl ?? env[apiVariables.baseUrl];
    if (!address && !isNeeded) {
        const found = "none is set, and nothing in this folder needs one";
        return ["address", "proxy", "key"].map((check) => skipped(check, found));
    }
    if (!address) {
        const fix = `If a stack has the setting ${apiSettings.baseUrl}, pass --stack. Otherwise, set ${apiVariables.baseUrl}, or pass --base-url.`;
        const found = "needs the address";
        return [error("address", "none is set", fix), skipped("proxy", found), skipped("key", found)];
    }
    let client;
    try {
        client = createClient(options, env, { retry: { maxAttempts: 1 } });
    } catch (problem) {
        if (!(problem instanceof UsageError)) {
            throw problem;
        }
        const isAboutAddress = /^--base-url\b/.test(problem.message);
        const fix = isAboutAddress
            ? "Correct the base address."
            : `If a stack has the setting ${apiSettings.adminApiKey}, pass --stack. Otherwise, set ${apiVariables.adminApiKey}.`;
        return isAboutAddress
            ? [error("address", problem.message, fix), skipped("key", "needs the address")]
            : [ok("address", address), await checkProxy(address, env), error("key", problem.message, fix)];
    }
    const proxy = await checkProxy(client.baseUrl, env);
    try {
        if (proxy.status === "error") {
            return [skipped("address", "needs the proxy"), proxy, skipped("key", "needs the proxy")];
        }
        const findings = await checkKey(client);
        const { project } = options;
        return [
            ...findings.slice(0, 1),
            proxy,
            ...findings.slice(1),
            ...(await checkUpdate(client, project, findings)),
        ];
    } finally {
        client.close();
    }
}

async function checkKey(client: AdminClient): Promise<Finding[]> {
    try {
        await client.staticExports.get(noJob);
        return [ok("address", client.baseUrl), ok("key", "is accepted")];
    } catch (failure) {
        return explain(failure, client.baseUrl);
    }
}

/**
 * Checks whether the key may update a project. Requests the preview of a branch without a name: that request needs the
 * same scope and project as an update, but is always refused as invalid.
 */
async function checkUpdate(
    client: AdminClient,
    project: string | undefined,
    findings: readonly Finding[],
): Promise<Finding[]> {
    if (project === undefined) {
        return [];
    }
    if (findings.some(({ status }) => status !== "ok")) {
        return [skipped("update", "needs a valid key")];
    }
    try {
        await client.documentationUpdates.startPreview(project, { branch: "" });
    } catch (failure) {
        if (failure instanceof HttpError) {
            return [explainUpdate(failure, project)];
        }
        throw failure;
    }
    return [
        warning(
            "update",
            "the service accepted a preview that names no branch",
            "Check that --base-url is the address of a service.",
        ),
    ];
}

function explainUpdate({ status, serverMessage, summary }: HttpError, project: string): Finding {
    switch (status) {
        case 400:
            return ok("update", `the key may update project ${project}; nothing was started`);
        case 403:
            return error(
                "update",
                `the key may not update project ${project} (403)${serverMessage === undefined ? "" : `: ${serverMessage}`}`,
                "Use a key with the scope for documentation updates, of that project's organisation.",
            );
        case 404:
            return error(
                "update",
                serverMessage ?? `the service has no project ${project} (404)`,
                "Correct the project's id; for the self-hosted service, it is the site's domain.",
            );
        default:
            return error("update", summary, "Try again; the service's log may say why.");
    }
}

async function checkProxy(address: string, env: NodeJS.ProcessEnv): Promise<Finding> {
    try {
        const proxy = findProxy(address, env);
        const named = describeProxy(address, env);
        if (proxy === undefined || named === undefined) {
            return ok("proxy", "none for this address");
        }
        return (await answers(proxy))
            ? ok("proxy", `goes through ${named}`)
            : error("proxy", `${named} does not answer`, "Start the proxy, or correct or unset the variable.");
    } catch (problem) {
        if (problem instanceof ProxySettingError) {
            return error("proxy", problem.message, "Correct or unset HTTPS_PROXY and HTTP_PROXY.");
        }
        throw problem;
    }
}

async function answers(proxy: URL): Promise<boolean> {
    const port = Number(proxy.port) || (proxy.protocol === "https:" ? 443 : 80);
    const socket = connect({ host: proxy.hostname.replace(/^\[|\]$/g, ""), port, timeout: maxProxyMs });
    try {
        return await Promise.race([
            once(socket, "connect").then(() => true),
            once(socket, "timeout").then(() => false),
        ]);
    } catch {
        return false;
    } finally {
        socket.destroy();
    }
}

/** Derives the findings about the address and the key from the result of a request. */
function explain(failure: unknown, baseUrl: string): [Finding, Finding] {
    if (!(failure instanceof StaticExportError)) {
        throw failure;
    }
    const reached = ok("address", `${baseUrl} answers`);
    const status = failure instanceof HttpError ? failure.status : undefined;
    if (status === 404 && (failure as HttpError).serverMessage !== undefined) {
        return [reached, ok("key", "is accepted; no job was started")];
    }
    switch (status) {
        case 401:
            return [
                reached,
                error(
                    "key",
                    "was not accepted (401): it is wrong, expired or rotated",
                    `Set ${apiVariables.adminApiKey} or ${apiSettings.adminApiKey} to an admin API key that is valid now.`,
                ),
            ];
        case 403:
            return [
                reached,
                error(
                    "key",
                    "is valid, but may not export (403)",
                    "Check that the key has the scope for static exports and belongs to the organisation of the site, " +
                        "that this is the address of that organisation's API, and that its plan includes static export.",
                ),
            ];
        case 404:
            return [
                error(
                    "address",
                    `the server at ${baseUrl} does not offer static exports (404)`,
                    "Correct the base address.",
                ),
                skipped("key", "needs the address"),
            ];
        default:
            return [error("address", failure.summary, adviceOf(failure)), skipped("key", "needs the address")];
    }
}

/** The last part of the message, after the error and the request. */
function adviceOf({ message, summary }: StaticExportError): string {
    const rest = message.slice(message.indexOf(summary) + summary.length);
    return rest.replace(/^ \([^)]*\)\. /, "");
}
