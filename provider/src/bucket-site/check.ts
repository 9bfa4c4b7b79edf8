import { isAbsolute } from "node:path";
import type { dynamic } from "@pulumi/pulumi";
import { bucketRule, prefixRule, storageInputs } from "../bundle-mirror/check.js";
import { exportJobId, matching, seconds, show, trueOrFalse, wholeNumber } from "../engine/check-inputs.js";
import { transferTimeout } from "../engine/time-limit.js";
import {
    type Addresses,
    containerName,
    findConflict,
    type PurgeInputs,
    type Switching,
} from "@pulumi-static-export/sdk/publish";
import { changesNothing, checkResource, type InputsOf, replaces, updates } from "../engine/resource-inputs.js";
import { checkPurge } from "./purge.js";

const maxKeep = 100;

/** A replacement keeps the files at the earlier location. A container's endpoint replaces the site: see diff.ts. */
export const bucketSiteInputs = {
    jobId: updates(exportJobId, "the export job whose files are served"),
    bucket: replaces(bucketRule),
    container: replaces(matching(containerName, 'the name of a container, such as "$web"')),
    prefix: replaces(prefixRule),
    ...storageInputs,
    folder: replaces<string>((value) =>
        typeof value === "string" && isAbsolute(value) ? undefined : `must be an absolute path, got ${show(value)}`,
    ),
    owner: updates(matching(/^[^\p{C}"]{1,200}$/u, 'a name without quotes, such as "acme/production/docs"')),
    adopt: changesNothing(trueOrFalse),
    keep: updates(wholeNumber(0, maxKeep)),
    pin: updates(exportJobId),
    cacheControl: updates(matching(/^[\w=,; -]{1,200}$/, 'a value of Cache-Control, such as "max-age=300"')),
    addresses: updates(matching<Addresses>(/^(files|objects|rules)$/, '"files", "objects" or "rules"')),
    switching: updates(matching<Switching>(/^(files|releases)$/, '"files" or "releases"')),
    access: updates(matching<"edge">(/^edge$/, '"edge", where the host separates readers, or absent')),
    graceSeconds: updates(seconds(0, 365 * 86_400)),
    trustRecord: changesNothing(trueOrFalse),
    purge: changesNothing<PurgeInputs>(checkPurge),
    timeoutSeconds: changesNothing(transferTimeout),
};

/** The kinds of targets, with their specific inputs. */
const places = {
    bucket: ["prefix", "endpoint", "region", "pathStyle", "encryption"],
    container: ["prefix", "endpoint"],
    folder: [],
} as const;

export function checkBucketSite(news: Record<string, unknown>): dynamic.CheckResult<InputsOf<typeof bucketSiteInputs>> {
    const { inputs, failures } = checkResource(bucketSiteInputs, news);
    const isSet = (property: string) => (news[property] ?? undefined) !== undefined;
    // The bucket comes last, so that it is the first to be reported as superfluous if several targets are set.
    const place = (["folder", "container", "bucket"] as const).find(isSet);
    if (place === undefined && failures.length === 0) {
        failures.push({
            property: "bucket",
            reason: "is required: the bucket that receives the files, unless container or folder is set",
        });
    } else if (place !== undefined) {
        const others = new Set<string>(
            Object.entries(places)
                .flat(2)
                .filter((property) => property !== place),
        );
        places[place].forEach((property) => others.delete(property));
        for (const property of [...others].filter(isSet)) {
            failures.push({ property, reason: `contradicts ${place}: remove one of them` });
        }
    }
    const { access, switching = "files", addresses } = inputs;
    const conflict = findConflict({ access, switching, addresses, hasHeaders: place !== "folder" });
    if (conflict !== undefined) {
        failures.push({ property: conflict.setting, reason: conflict.reason });
    }
    return { inputs, failures };
}
