import type { PolicyResource } from "@pulumi/policy";
import { knownString } from "../../resources/look-up.js";

/** Whether a BundleCheck examines the bundle of an export. */
export function isCheckOf(check: PolicyResource, bundle: PolicyResource): boolean {
    const jobId = knownString(check.props, "jobId");
    return (
        (check.propertyDependencies.jobId ?? []).includes(bundle) ||
        (jobId !== undefined && jobId === knownString(bundle.props, "jobId"))
    );
}
