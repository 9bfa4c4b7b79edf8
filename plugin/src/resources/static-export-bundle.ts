import { type BundleInputs, type BundleState, bundleUpdateReason, isUnknown } from "pulumi-static-export/plugin-entry";
import type { Properties } from "../wire/properties.js";
import { unknownOutputs } from "./known-outputs.js";
import type { Lifecycle, ResourceKind } from "./resource-kind.js";

const exportOutputs = ["jobId", "sizeBytes", "pageCount", "exportedAt"];
const linkOutputs = ["bundleUrl", "expiresAt"];

export const staticExportBundle: ResourceKind = {
    lifecycle: (host, context) => host.staticExportBundle(context) as unknown as Lifecycle,
    secretOutputs: ["bundleUrl"],
    updatingInputs: ["version", "paths", "triggers", "jobId"],
    changedOutputs: (olds, news) => (reasonOf(olds, news) === "link" ? linkOutputs : ["jobId"]),
    previewState(news, olds) {
        const reason = olds && reasonOf(olds, news);
        if (reason === "import") {
            return { ...olds, ...news };
        }
        if (olds !== undefined && reason === "link") {
            return { ...olds, ...news, jobId: olds["jobId"], ...unknownOutputs(linkOutputs) };
        }
        // If the program names a job, its id is known already: the inputs override the unknown outputs.
        return { ...unknownOutputs([...exportOutputs, ...linkOutputs]), ...news };
    },
    importState: async (host, importId) => host.importBundle(importId),
};

function reasonOf(olds: Properties, news: Properties) {
    const known = news as unknown as BundleInputs;
    return isUnknown(known.domain) ? undefined : bundleUpdateReason(olds as unknown as BundleState, known, Date.now());
}
