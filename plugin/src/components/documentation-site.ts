import { releaseType, type SiteFeatures } from "@pulumi-static-export/contract";
import {
    bundleInputs,
    checkInputs,
    exportInputs,
    findSiteProblem,
    isUnknown,
    siteValues,
} from "pulumi-static-export/plugin-entry";
import type { Properties } from "../wire/properties.js";
import type { ComponentInputs, Declare } from "./component.js";
import { chartInputs, chartOf, wireReleaseInputs } from "./helm-release.js";
import type { WireProperties } from "./resource-monitor.js";
import { fieldsOf, withOwnValues } from "./wire-values.js";

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
    const job =
        values["separateStart"] === true
            ? await declare({ type: "static-export:index:StaticExportJob", inputs: exportInputs(wire) })
            : undefined;
    const bundle = await declare({
        type: "static-export:index:StaticExportBundle",
        inputs: bundleInputs(wire, job?.output("jobId")),
        dependsOn: job ? [job.urn] : [],
    });
    const jobId = bundle.output("jobId");
    const mirrorArgs = fieldsOf(wire["mirror"]);
    const mirror =
        mirrorArgs &&
        (await declare({
            type: "static-export:index:BundleMirror",
            inputs: { jobId, ...mirrorArgs },
            dependsOn: [bundle.urn],
        }));
    const copy = mirror && { args: mirrorArgs, sha256: mirror.output("sha256") };
    const { access, expectedSha256 } = wire;
    const takesDigest = values["chartTakesDigest"] === true;
    const checked = { expectedSha256, access: values["access"], values: fieldsOf(values["values"]) };
    const check = await declare({
        type: "static-export:index:BundleCheck",
        inputs: { jobId, ...checkInputs(checked, copy, takesDigest) },
        dependsOn: [bundle.urn, ...(mirror ? [mirror.urn] : [])],
    });
    const site = {
        ...{ domain: wire["domain"], version: wire["version"], expectedSha256, access, mirror: mirrorArgs },
        ...{ deploymentType: values["deploymentType"], features: values["features"] as SiteFeatures | undefined },
        ...{ answer: fieldsOf(wire["answer"]), takesDigest },
    };
    const served = {
        link: mirror ? mirror.output("url") : bundle.output("bundleUrl"),
        ...{ jobId, sha256: check.output("sha256") },
    };
    const chartValues = withOwnValues(wire["values"], ({ features, staticExport }) =>
        siteValues(site, served, { features: fieldsOf(features), staticExport: fieldsOf(staticExport) }),
    );
    const release = await declare({
        type: releaseType,
        inputs: wireReleaseInputs(name, { values, wire }, chartValues),
        dependsOn: [check.urn, bundle.urn, ...(mirror ? [mirror.urn] : [])],
    });
    return { jobId: mirrorArgs?.["pin"] ?? jobId, sha256: check.output("sha256"), release: release.output("name") };
}

function assertDeployable(name: string, values: Properties): void {
    const unknown = plainInputs.find((input) => isUnknown(values[input]));
    const { deploymentType, chartTakesDigest } = values;
    const features = values["features"] as SiteFeatures | undefined;
    const site = {
        ...values,
        deploymentType,
        features,
        chart: chartOf(values),
        takesDigest: chartTakesDigest === true,
    };
    const problem =
        unknown === undefined
            ? // Pulumi starts its providers in the folder of the program.
              findSiteProblem(name, site, process.cwd())
            : `${unknown} must be known while the program runs`;
    if (problem !== undefined) {
        throw new Error(`DocumentationSite ${name}: ${problem}.`);
    }
}
