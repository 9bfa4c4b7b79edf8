import { isUnknown, type MirrorInputs, mirrorKey, updatingMirrorInputs } from "pulumi-static-export/plugin-entry";
import type { Properties } from "../wire/properties.js";
import { unknownOutputs } from "./known-outputs.js";
import type { Lifecycle, ResourceKind } from "./resource-kind.js";

export const bundleMirror: ResourceKind = {
    lifecycle: (host, context) => host.bundleMirror(context) as unknown as Lifecycle,
    secretOutputs: ["url"],
    updatingInputs: updatingMirrorInputs,
    changedOutputs: () => ["url", "urlExpiresAt"],
    previewState(news, olds) {
        const address = unknownOutputs(
            news["publicUrl"] === undefined ? ["url", "urlExpiresAt", "urlRenewAt"] : ["url"],
        );
        // An update keeps the copy, and with it the key and the digest.
        const copy = olds
            ? { key: olds["key"], sha256: olds["sha256"], sizeBytes: olds["sizeBytes"] }
            : { ...unknownOutputs(["sha256", "sizeBytes"]), ...keyOf(news) };
        const earlier = news["keep"] === undefined ? {} : unknownOutputs(["earlierJobIds"]);
        return { ...news, ...copy, ...earlier, ...address };
    },
    noImport: "declare it: a copy that is in the bucket already is used, and nothing is copied again",
};

function keyOf(news: Properties): Properties {
    const { jobId, pin, prefix } = news;
    return isUnknown(pin ?? jobId) || isUnknown(prefix)
        ? unknownOutputs(["key"])
        : { key: mirrorKey(news as unknown as MirrorInputs) };
}
