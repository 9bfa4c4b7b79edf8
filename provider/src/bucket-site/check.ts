import { isAbsolute } from "node:path";
import type { dynamic } from "@pulumi/pulumi";
import { addressRule, bucketRule, encryptionRule, prefixRule, regionRule } from "../bundle-mirror/check.js";
import {
    checkInputs,
    exportJobId,
    matching,
    type Rule,
    seconds,
    show,
    trueOrFalse,
    wholeNumber,
} from "../engine/check-inputs.js";
import { containerName, findConflict } from "@pulumi-static-export/sdk/publish";
import { definedOnly } from "../engine/defined-only.js";
import type { BucketSiteInputs } from "./model.js";
import { checkPurge } from "./purge.js";

const maxKeep = 100;

const rules: Record<Exclude<keyof BucketSiteInputs, "__provider">, Rule> = {
    jobId: exportJobId,
    bucket: bucketRule,
    container: matching(containerName, 'the name of a container, such as "$web"'),
    prefix: prefixRule,
    endpoint: addressRule,
    region: regionRule,
    pathStyle: trueOrFalse,
    encryption: encryptionRule,
    requesterPays: trueOrFalse,
    folder: (value) =>
        typeof value === "string" && isAbsolute(value) ? undefined : `must be an absolute path, got ${show(value)}`,
    owner: matching(/^[^\p{C}"]{1,200}$/u, 'a name without quotes, such as "acme/production/docs"'),
    adopt: trueOrFalse,
    keep: wholeNumber(0, maxKeep),
    pin: exportJobId,
    cacheControl: matching(/^[\w=,; -]{1,200}$/, 'a value of Cache-Control, such as "max-age=300"'),
    addresses: matching(/^(files|objects|rules)$/, '"files", "objects" or "rules"'),
    switching: matching(/^(files|releases)$/, '"files" or "releases"'),
    access: matching(/^edge$/, '"edge", where the host separates readers, or absent'),
    graceSeconds: seconds(0, 365 * 86_400),
    purge: checkPurge,
    timeoutSeconds: seconds(1, 24 * 3600),
};

/** The kinds of targets, with their specific inputs. */
const places = {
    bucket: ["prefix", "endpoint", "region", "pathStyle", "encryption", "requesterPays"],
    container: ["prefix", "endpoint"],
    folder: [],
} as const;

export function checkBucketSite(news: Record<string, unknown>): dynamic.CheckResult<BucketSiteInputs> {
    const failures = checkInputs(news, rules, { jobId: "the export job whose files are served" });
    const isSet = (property: string) => (news[property] ?? undefined) !== undefined;
    // The bucket comes last, so that it is the first to be reported as superfluous if several targets are set.
    const place = (["folder", "container", "bucket"] as const).find(isSet);
    if (place === undefined && failures.length === 0) {
        failures.push({
            property: "bucket",
            reason: "is required: the bucket that the files go to, unless container or folder is set",
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
    const { access, switching = "files", addresses } = definedOnly(news) as Partial<BucketSiteInputs>;
    const conflict = findConflict({ access, switching, addresses, hasHeaders: place !== "folder" });
    if (conflict !== undefined) {
        failures.push({ property: conflict.setting, reason: conflict.reason });
    }
    return { inputs: definedOnly(news) as unknown as BucketSiteInputs, failures };
}
