import { releaseType, type SiteFeatures } from "@pulumi-static-export/contract";
import {
    answerValues,
    bundleLimits,
    featureValues,
    findSiteProblem,
    findStartProblem,
    isUnknown,
    keepsReadersApart,
} from "pulumi-static-export/plugin-entry";
import type { Properties } from "../wire/properties.js";
import type { ComponentInputs, Declare } from "./component.js";
import { chartInputs, chartOf, wireReleaseInputs } from "./helm-release.js";
import type { WireProperties } from "./resource-monitor.js";
import { fieldsOf, pick, withOwnValues } from "./wire-values.js";

/** The inputs of a site that determine the exported content. */
const wantedInputs = ["domain", "version", "paths", "triggers"];
/** The inputs of a site that only its bundle uses. */
const bundleInputs = ["renewBeforeSeconds", "timeoutSeconds", "jobId"];
/** The inputs of a mirror that identify its copy. */
const copyInputs = ["bucket", "prefix", "endpoint", "region", "pathStyle", "pin"];
/** Inputs that determine which resources are declared, so they must be known while the program runs. */
const plainInputs = ["deploymentType", "features", "separateStart", "chartTakesDigest", ...chartInputs];

/**
 * A documentation site on Kubernetes, like the npm package's component of this name: its export, optionally a durable
 * copy of the bundle, a check, and a Helm release that serves it.
 *
 * @returns the outputs in the protocol's form
 * @throws Error when the inputs contradict the feature matrix or each other
 */
export async function declareSite(
    name: string,
    { values, wire }: ComponentInputs,
    declare: Declare,
): Promise<WireProperties> {
    assertDeployable(name, values);
    const wanted = pick(wire, wantedInputs);
    const job =
        values["separateStart"] === true
            ? await declare({ type: "static-export:index:StaticExportJob", inputs: wanted })
            : undefined;
    const bundle = await declare({
        type: "static-export:index:StaticExportBundle",
        inputs: {
            // Only the job determines the exported content, and a new export has a new job id.
            ...(job ? { domain: wire["domain"], jobId: job.output("jobId") } : wanted),
            ...pick(wire, bundleInputs),
            // Only the mirror uses a link, and it requests a fresh one, so an expired link needs no update.
            ...(wire["mirror"] === undefined ? {} : { renewLink: false }),
        },
        dependsOn: job ? [job.urn] : [],
    });
    const jobId = bundle.output("jobId");
    const givenMirror = fieldsOf(wire["mirror"]);
    const mirror =
        givenMirror &&
        (await declare({
            type: "static-export:index:BundleMirror",
            inputs: { jobId, ...givenMirror },
            dependsOn: [bundle.urn],
        }));
    const { chartTakesDigest, deploymentType, expectedSha256, features } = values;
    const check = await declare({
        type: "static-export:index:BundleCheck",
        inputs: {
            jobId,
            // With a mirror, the pods fetch its copy, so the check reads the copy.
            ...(mirror && { mirror: { ...pick(givenMirror, copyInputs), sha256: mirror.output("sha256") } }),
            ...pick(wire, ["expectedSha256"]),
            ...(chartTakesDigest === true ? bundleLimits(fieldsOf(values["values"])) : {}),
            ...(keepsReadersApart(values) ? { access: true } : {}),
        },
        dependsOn: [bundle.urn, ...(mirror ? [mirror.urn] : [])],
    });
    // The platform does not guarantee the same bytes behind a renewed link.
    const hasFixedBytes = mirror !== undefined || expectedSha256 !== undefined;
    const staticExport = {
        enabled: true,
        bundleUrl: mirror ? mirror.output("url") : bundle.output("bundleUrl"),
        // Without a version, the export job identifies the site, also for a pinned earlier export.
        version: givenMirror?.["pin"] ?? wire["version"] ?? jobId,
        ...(chartTakesDigest === true && hasFixedBytes ? { sha256: check.output("sha256") } : {}),
    };
    const shown = { deploymentType, features: features as SiteFeatures, takesDigest: chartTakesDigest === true };
    const chartValues = withOwnValues(wire["values"], (given) => ({
        ...pick(wire, ["access"]),
        ...answerValues({ answer: fieldsOf(wire["answer"]), domain: wire["domain"] }),
        ...featureValues(shown, fieldsOf(given["features"])),
        staticExport: { ...fieldsOf(given["staticExport"]), ...staticExport },
    }));
    const release = await declare({
        type: releaseType,
        inputs: wireReleaseInputs(name, { values, wire }, chartValues),
        dependsOn: [check.urn, bundle.urn, ...(mirror ? [mirror.urn] : [])],
    });
    return { jobId: givenMirror?.["pin"] ?? jobId, sha256: check.output("sha256"), release: release.output("name") };
}

function assertDeployable(name: string, values: Properties): void {
    const unknown = plainInputs.find((input) => isUnknown(values[input]));
    const { deploymentType, features, mirror, access, answer, chartTakesDigest } = values;
    const plan = {
        ...{ deploymentType, features: features as SiteFeatures | undefined, mirror, chart: chartOf(values) },
        ...{ access, answer, values: values["values"], takesDigest: chartTakesDigest === true },
    };
    const problem =
        unknown === undefined
            ? // Pulumi starts its providers in the folder of the program.
              (findSiteProblem(plan, process.cwd()) ?? findStartProblem(values))
            : `${unknown} must be known while the program runs`;
    if (problem !== undefined) {
        throw new Error(`DocumentationSite ${name}: ${problem}.`);
    }
}
