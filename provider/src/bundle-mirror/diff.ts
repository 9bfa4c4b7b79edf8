import type { dynamic } from "@pulumi/pulumi";
import { diffInputs, isDue } from "../engine/resource-inputs.js";
import { mirrorInputs } from "./check.js";
import type { MirrorInputs, MirrorState } from "./model.js";
import { defaultPrefix, servedJob } from "./storage/copy-address.js";

/**
 * Compares the export and the place of its copy, never the link that it was copied from. A replacement makes a new
 * copy, and the old one stays until nothing uses it. Makes no request.
 */
export function diffMirror(olds: MirrorState, news: MirrorInputs, nowMs: number): dynamic.DiffResult {
    // A missing prefix and the default prefix mean the same object: a replacement would delete its own new copy.
    const withPrefix = (inputs: MirrorInputs) => ({ prefix: defaultPrefix, ...inputs });
    const diff = diffInputs(mirrorInputs, withPrefix(olds), withPrefix(news), isDue(olds.urlRenewAt, nowMs));
    return servedJob(olds) === servedJob(news)
        ? diff
        : { changes: true, replaces: [olds.pin === news.pin ? "jobId" : "pin", ...(diff.replaces ?? [])] };
}
