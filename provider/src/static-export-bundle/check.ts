import {
    type ExportInputName,
    findLineFault,
    isDomain,
    maxPathCharacters,
    maxPaths,
    maxVersionCharacters,
} from "@pulumi-static-export/contract";
import type { dynamic } from "@pulumi/pulumi";
import { anything, exportJobId, seconds, show, trueOrFalse } from "../engine/check-inputs.js";
import { jobTimeout } from "../engine/time-limit.js";
import {
    changesNothing,
    checkResource,
    type InputsOf,
    joinInputs,
    replaces,
    type ResourceInput,
    updates,
} from "../engine/resource-inputs.js";
import { isUnknown } from "../engine/unknown-value.js";

/** The inputs that determine the exported content. contract/ also names them, for the report of a preview. */
export const exportInputs = {
    /** Host name of the documentation site: no scheme, no port, no path. A change replaces the resource. */
    domain: replaces<string>(checkDomain, "the host name of the documentation site"),
    /**
     * Label of this export, of at most 200 characters. A change runs one new export job.
     * @default the platform exports the latest published version
     */
    version: updates<string>(checkVersion),
    /**
     * Paths of at most 1,000 pages to export, each once, such as `/guides/start`. A change runs one new export job.
     * @default every published page
     */
    paths: updates<string[]>(checkPaths),
    /**
     * Any values, such as a commit, a content hash, a file asset, or a date as text, but not a `Date`. A change runs one
     * new export job.
     */
    triggers: updates<unknown>(anything),
} satisfies Record<"domain" | ExportInputName, ResourceInput>;

export const bundleInputs = joinInputs(exportInputs, {
    /**
     * How many seconds before its expiry a link is renewed. A renewal makes one request, and does not export again.
     * With 0, the first `pulumi up` after the expiry renews the link. A link that is not valid for so long is renewed
     * after half of its time.
     * @default 0
     */
    renewBeforeSeconds: changesNothing<number>(seconds(0, 7 * 24 * 3600)),
    /**
     * Whether an expired link causes an update. Set it to false when a mirror serves the bundle.
     * @default true
     */
    renewLink: changesNothing<boolean>(trueOrFalse),
    /**
     * How long one `pulumi up` waits for the job, in seconds. A job that takes longer keeps running.
     * @default 3600
     */
    timeoutSeconds: changesNothing<number>(jobTimeout),
    /** Adopts this job instead of starting one, for example to promote an export from staging to production. */
    jobId: updates<string>(exportJobId),
});

export type BundleInputs = InputsOf<typeof bundleInputs> & {
    /**
     * For policies, `check` sets this property when the domain differs from the domain in the state. Programs cannot
     * set this property.
     */
    replacesDomain?: true;
};

/**
 * Validates the inputs and lower-cases the host name. Marks a domain that differs from the state's, because policies
 * never see the state. The mark is not stored: Pulumi checks the inputs of the replacement again.
 */
export function checkBundle(
    news: Record<string, unknown>,
    olds: Partial<BundleInputs> = {},
): dynamic.CheckResult<BundleInputs> {
    const { inputs, failures } = checkExport(bundleInputs, news);
    const isReplaced = olds.domain !== undefined && olds.domain !== inputs.domain && !isUnknown(inputs.domain);
    return { inputs: { ...inputs, ...(isReplaced && { replacesDomain: true }) }, failures };
}

/** Host names are case-insensitive: a change of case must not replace the resource. */
export function checkExport<Table extends typeof exportInputs>(
    table: Table,
    news: Record<string, unknown>,
): { inputs: InputsOf<Table>; failures: dynamic.CheckFailure[] } {
    const { inputs, failures } = checkResource(table, news);
    const { domain } = news;
    return { inputs: { ...inputs, ...(typeof domain === "string" && { domain: domain.toLowerCase() }) }, failures };
}

function checkDomain(value: unknown): string | undefined {
    if (typeof value !== "string") {
        return `must be a string, got ${show(value)}`;
    }
    if (value.includes("://")) {
        return `must be a host name without a scheme, such as "docs.example.com", got ${show(value)}`;
    }
    if (/[/?#]/.test(value)) {
        return `must be a host name without a path, such as "docs.example.com", got ${show(value)}`;
    }
    if (/:\d*$/.test(value)) {
        return `must be a host name without a port, such as "docs.example.com", got ${show(value)}`;
    }
    if (/[^\x20-\x7e]/.test(value)) {
        return `must be an ASCII host name: use the xn-- form of an international name, got ${show(value)}`;
    }
    return isDomain(value) ? undefined : `must be a host name such as "docs.example.com", got ${show(value)}`;
}

function checkVersion(value: unknown): string | undefined {
    if (typeof value !== "string") {
        return `must be a string, got a value of type ${typeof value}`;
    }
    if (value.trim() === "") {
        return 'must not be empty: omit it, or set a label such as "2026-11-01"';
    }
    // The value may be a secret of the program.
    const fault = findLineFault(value, maxVersionCharacters);
    return fault && `must be ${fault}`;
}

function checkPaths(value: unknown): string | undefined {
    if (!Array.isArray(value)) {
        return `must be a list of page paths, got ${show(value)}`;
    }
    if (value.length === 0) {
        return "must name at least one page: omit it to export every published page";
    }
    // During a preview, unknown paths look like duplicates.
    const known: unknown[] = value.filter((path) => !isUnknown(path));
    const wrong = known.find((path) => !isPagePath(path));
    if (wrong !== undefined) {
        return `must contain only page paths such as "/guides/start", got ${show(wrong)}`;
    }
    if (value.length > maxPaths) {
        return `must contain at most ${maxPaths} page paths, got ${value.length}: omit it to export every published page`;
    }
    for (const path of known) {
        const fault = findLineFault(String(path), maxPathCharacters);
        if (fault !== undefined) {
            return `must contain only page paths that are ${fault}, got ${show(path)}`;
        }
    }
    const repeated = known.find((path, index) => known.indexOf(path) !== index);
    return repeated === undefined ? undefined : `must contain each page path only once, got ${show(repeated)} twice`;
}

/** Only the platform knows whether a page exists, but a URL is never the path of a page. */
function isPagePath(path: unknown): boolean {
    return typeof path === "string" && path.trim() !== "" && !path.includes("://");
}
