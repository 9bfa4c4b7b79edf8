import { isDeepStrictEqual } from "node:util";

/** What the program declared, resolved. During a preview a value may be unknown (see unknown-value.ts). */
export interface BundleInputs {
    domain: string;
    version?: string;
    paths?: string[];
    triggers?: unknown;
    renewBeforeSeconds?: number;
    renewLink?: boolean;
    timeoutSeconds?: number;
    jobId?: string;
    /** Whether the domain is not the state's, for policies. Not an input that a program may give. */
    replacesDomain?: true;
    /** The serialised provider. Pulumi adds it on success only, so a saved failure has to carry it. */
    __provider?: string;
}

/** What Pulumi stores: the inputs of the last change and what it yielded. */
export interface BundleState extends BundleInputs {
    bundleUrl?: string;
    /** RFC 3339, by the platform's clock. */
    expiresAt?: string;
    /** How long the link lived when it was made, in seconds, where its expiry is known. */
    linkLifetimeSeconds?: number;
    /** How far the platform's clock was ahead of this machine's when the link was made, in milliseconds. */
    clockSkewMs?: number;
    sizeBytes?: number;
    pageCount?: number;
    exportedAt?: string;
    /** A job of this change that was started or adopted and whose bundle is not here yet: the next update resumes it. */
    pendingJobId?: string;
}

export const defaultTimeoutSeconds = 3600;

/** The part of the inputs that decides what is exported: a change of it, and nothing else, is worth a new job. */
export function exportOf(inputs: BundleInputs): Pick<BundleInputs, "domain" | "version" | "paths" | "triggers"> {
    const { domain, version, paths, triggers } = inputs;
    return { domain, ...definedOnly({ version, paths, triggers }) };
}

export function isSameExport(a: BundleInputs, b: BundleInputs): boolean {
    return isDeepStrictEqual(exportOf(a), exportOf(b));
}

/** The same object without undefined values, which Pulumi's wire format refuses after the job has run. */
export function definedOnly<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
    return Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)) as {
        [K in keyof T]?: Exclude<T[K], undefined>;
    };
}
