import { unknownValue } from "@pulumi-static-export/contract";
import {
    agentJobChange,
    type AgentJobInputs,
    agentJobOutputs,
    type AgentJobState,
    type BucketSiteInputs,
    bucketSiteOutputs,
    bundleCheckOutputs,
    type BundleInputs,
    bundleOutputs,
    type BundleState,
    decideBundleUpdate,
    exportJobOutputs,
    isUnknown,
    type LifecycleHost,
    type MirrorInputs,
    mirrorKey,
    mirrorOutputs,
    outputNames,
    type OutputTable,
    secretNames,
    servedJob,
    updateOutputs,
} from "pulumi-static-export/plugin-entry";
import type { Properties } from "../wire/properties.js";
import type { Lifecycle, ResourceKind } from "./resource-kind.js";

/** Describes a resource. By default, an update changes all of these outputs, and a preview knows none of them. */
function createKind(
    name: Exclude<keyof LifecycleHost, "gone" | "importBundle" | "readAgentJob">,
    outputs: OutputTable,
    own: Partial<ResourceKind>,
): ResourceKind {
    return {
        lifecycle: (host, context) => host[name](context) as unknown as Lifecycle,
        secretOutputs: secretNames(outputs),
        changedOutputs: () => outputNames(outputs),
        previewState: (news) => ({ ...news, ...unknownOutputs(outputNames(outputs)) }),
        ...own,
    };
}

/** Returns placeholders for outputs that are unknown before the update. */
function unknownOutputs(names: readonly string[]): Properties {
    return Object.fromEntries(names.map((name) => [name, unknownValue]));
}

const linkOutputs = ["bundleUrl", "expiresAt"];

const staticExportBundle = createKind("staticExportBundle", bundleOutputs, {
    changedOutputs: (olds, news) => (effectOf(olds, news) === "renew" ? linkOutputs : ["jobId"]),
    previewState(news, olds) {
        const effect = olds && effectOf(olds, news);
        if (effect === "store") {
            return { ...olds, ...news };
        }
        if (olds !== undefined && effect === "renew") {
            return { ...olds, ...news, jobId: olds["jobId"], ...unknownOutputs(linkOutputs) };
        }
        // If the program sets a job, its id is already known, so the inputs override the unknown outputs.
        return { ...unknownOutputs(outputNames(bundleOutputs)), ...news };
    },
    importState: async (host, importId, signal) => host.importBundle(importId, signal),
});

function effectOf(olds: Properties, news: Properties) {
    const known = news as unknown as BundleInputs;
    return isUnknown(known.domain)
        ? undefined
        : decideBundleUpdate(olds as unknown as BundleState, known, Date.now()).effect;
}

const staticExportJob = createKind("staticExportJob", exportJobOutputs, {
    noImport: "import the job's StaticExportBundle, which contains the result",
});

const bundleMirror = createKind("bundleMirror", mirrorOutputs, {
    changedOutputs: () => ["url", "urlExpiresAt"],
    previewState(news, olds) {
        const address = unknownOutputs(
            news["publicUrl"] === undefined ? ["url", "urlExpiresAt", "urlRenewAt"] : ["url"],
        );
        // An update keeps the copy, and therefore the key and the digest.
        const copy = olds
            ? { key: olds["key"], sha256: olds["sha256"], sizeBytes: olds["sizeBytes"] }
            : { ...unknownOutputs(["sha256", "sizeBytes"]), ...keyOf(news) };
        const earlier = news["keep"] === undefined ? {} : unknownOutputs(["earlierJobIds"]);
        return { ...news, ...copy, ...earlier, ...address };
    },
    noImport: "declare the mirror, which uses a copy that is already in the bucket",
});

function keyOf(news: Properties): Properties {
    const { jobId, pin, prefix } = news;
    return isUnknown(pin ?? jobId) || isUnknown(prefix)
        ? unknownOutputs(["key"])
        : { key: mirrorKey(news as unknown as MirrorInputs) };
}

/** A preview knows the served job, unless the job is unknown. */
const otherSiteOutputs = outputNames(bucketSiteOutputs).filter((name) => name !== "servedJobId");

const bucketSite = createKind("bucketSite", bucketSiteOutputs, {
    changedOutputs: () => otherSiteOutputs,
    previewState(news) {
        const job = servedJob(news as unknown as BucketSiteInputs);
        const served = isUnknown(job) ? unknownOutputs(["servedJobId"]) : { servedJobId: job };
        return { ...news, ...served, ...unknownOutputs(otherSiteOutputs) };
    },
    noImport: "declare the site, which compares the files that its owner has published and sends only changes",
});

const bundleCheck = createKind("bundleCheck", bundleCheckOutputs, {
    noImport: "declare a check, because checks exist only in a state",
});

const agentResults: readonly string[] = ["status", "prLink", "archivedAt"];

const agentJob = createKind("agentJob", agentJobOutputs, {
    changedOutputs: () => agentResults,
    previewState(news, olds) {
        const change = olds && agentJobChange(olds as unknown as AgentJobState, news as unknown as AgentJobInputs);
        const names = outputNames(agentJobOutputs);
        const isSameJob = change === "message" || change === "resume";
        const job = isSameJob ? Object.fromEntries(names.map((name) => [name, olds?.[name]])) : {};
        return { ...unknownOutputs(names), ...job, ...(isSameJob && unknownOutputs(agentResults)), ...news };
    },
    noImport: "set jobId in its arguments, which adopts the job instead of creating one",
});

const documentationUpdate = createKind("documentationUpdate", updateOutputs, {
    changedOutputs: () => ["statusId"],
    noImport: "declare an update, because updates exist only in a state",
});

/** The resources by their type tokens. */
export const resourceKinds: Readonly<Record<string, ResourceKind>> = {
    "static-export:index:StaticExportBundle": staticExportBundle,
    "static-export:index:StaticExportJob": staticExportJob,
    "static-export:index:BundleMirror": bundleMirror,
    "static-export:index:BucketSite": bucketSite,
    "static-export:index:BundleCheck": bundleCheck,
    "static-export:index:AgentJob": agentJob,
    "static-export:index:DocumentationUpdate": documentationUpdate,
};
