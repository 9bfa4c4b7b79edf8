import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { downloadArchive, type DownloadedArchive } from "../bundle/download-archive.js";
import {
    BundleError,
    ConnectionError,
    type ConnectionFailure,
    HttpError,
    RequestTimeoutError,
    StaticExportError,
} from "../errors/index.js";
import { isTransient } from "../http/retry.js";
import { PodError } from "./pod-error.js";
import { bytesPerMib, type PodSettings } from "./pod-settings.js";

const idleTimeoutMs = 30_000;

const renew =
    "Next: run 'pulumi up --refresh', which renews the link (or 'helm upgrade' with a fresh staticExport.bundleUrl). This " +
    "container then continues by itself. To start pods long after a link has expired, use BundleMirror with publicUrl " +
    "or set cache.enabled.";

const statuses: Partial<Record<number, readonly [says: string, advice?: string]>> = {
    400: ["the bundle link was refused, for example because its signer's credentials have expired.", renew],
    401: ["the bundle link was refused, for example because its signer's credentials have expired.", renew],
    403: ["the bundle link has expired or was withdrawn.", renew],
    404: ["the bundle does not exist, or no longer exists.", renew],
    410: ["the bundle link has expired or was withdrawn.", renew],
};

const connectionFailures: Record<ConnectionFailure, (host: string) => readonly [reason: string, advice?: string]> = {
    dns: (host) => [`The host name of ${host} cannot be resolved.`, "Check DNS and the NetworkPolicy."],
    refused: (host) => [`No connection to ${host}.`, "Check networkPolicy.egressTo and egressPorts."],
    unreachable: (host) => [`No connection to ${host}.`, "Check networkPolicy.egressTo and egressPorts."],
    tls: (host) => [
        `The TLS connection to ${host} is not trusted.`,
        "For a private certificate authority, set fetch.certificateAuthority.",
    ],
    "no-tls": (host) => [`${host} does not speak TLS at this port.`, "Check the scheme of staticExport.bundleUrl."],
    protocol: (host) => [`${host} does not speak HTTP.`, "Check the port of staticExport.bundleUrl."],
    local: (host) => [`The request to ${host} could not be made.`, "Check the proxy settings in fetch.extraEnv."],
    reset: (host) => [`The download from ${host} was interrupted.`],
};

/**
 * Downloads the bundle that the Secret's link leads to. One attempt.
 * @throws PodError with the reason in words for the chart's user
 */
export async function downloadOnce(path: string, settings: PodSettings): Promise<DownloadedArchive & { host: string }> {
    const { link, host } = readLink(settings);
    const { maxBundleMib, attemptTimeoutMs } = settings;
    const signal = AbortSignal.timeout(attemptTimeoutMs);
    try {
        const maxBytes = maxBundleMib * bytesPerMib;
        return { host, ...(await downloadArchive(link, path, { maxBytes, idleTimeoutMs, signal })) };
    } catch (error) {
        if (signal.aborted || error instanceof RequestTimeoutError) {
            const advice = "See fetch.attemptTimeoutSeconds.";
            throw new PodError(`The download from ${host} timed out.`, advice, { isTransient: true });
        }
        throw explain(error, host, path, settings);
    }
}

function readLink({ secretFolder }: PodSettings): { link: string; host: string } {
    const link = readFileSync(join(secretFolder, "bundle-url"), "utf8").trim();
    const url = URL.canParse(link) ? new URL(link) : undefined;
    const isPlain = /^https?:\/\/[!-~]+$/.test(link) && !/["\\]/.test(link);
    if (url === undefined || !isPlain || url.username !== "" || url.password !== "") {
        throw new PodError(
            "staticExport.bundleUrl is not an http(s) address (not shown: it is a secret).",
            "The address must have no user name and no white space.",
        );
    }
    return { link, host: url.host };
}

function explain(error: unknown, linked: string, path: string, { maxBundleMib }: PodSettings): unknown {
    const asked = error instanceof StaticExportError && error.url !== undefined ? new URL(error.url).host : linked;
    const host = asked === linked ? linked : `${asked}, to which ${linked} redirects`;
    if (error instanceof HttpError) {
        const [says, advice] = statuses[error.status] ?? [];
        if (says !== undefined) {
            return new PodError(`HTTP ${error.status} from ${host}: ${says}`, advice);
        }
        return isTransient(error)
            ? new PodError(`HTTP ${error.status} from ${host}: the storage did not deliver the bundle.`, "", {
                  isTransient: true,
              })
            : new PodError(`HTTP ${error.status} from ${host} instead of the bundle.`);
    }
    if (error instanceof ConnectionError) {
        const [reason, advice] = connectionFailures[error.failure](host);
        const bytes = error.failure === "reset" ? sizeOf(path) : 0;
        const after = bytes > 0 ? `${reason.slice(0, -1)} after ${bytes} bytes.` : reason;
        return new PodError(after, advice, { isTransient: error.failure !== "local" });
    }
    if (error instanceof BundleError) {
        return error.problem === "too-many-bytes"
            ? new PodError(
                  `The bundle from ${host} is larger than fetch.limits.bundleMiB (${maxBundleMib} MiB).`,
                  "Raise the limit if that is expected.",
              )
            : new PodError(
                  `The download from ${host} is refused: ${error.summary}.`,
                  "Check the storage behind the link.",
              );
    }
    const { code } = error as NodeJS.ErrnoException;
    return code === undefined
        ? error
        : new PodError(`The bundle could not be written to disk (${code}).`, "See siteVolumeSizeLimit.", {
              isTransient: true,
          });
}

function sizeOf(path: string): number {
    return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
