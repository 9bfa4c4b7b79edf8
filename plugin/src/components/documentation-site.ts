import { markKey, marks, releaseType, type SiteFeatures, unknownValue } from "@pulumi-static-export/contract";
import { bundleLimits, findSiteProblem, isUnknown, keepsReadersApart } from "pulumi-static-export/lifecycles";
import type { Properties } from "../wire/properties.js";
import type { Declaration, RegisteredResource, WireProperties } from "./resource-monitor.js";

/** The inputs of a site that are passed on to its bundle. */
const exportInputs = ["domain", "version", "paths", "triggers", "renewBeforeSeconds", "timeoutSeconds", "jobId"];
/** The inputs of a mirror by which its copy is found. */
const copyInputs = ["bucket", "prefix", "endpoint", "region", "pathStyle", "pin"];
/** They decide what is declared. */
const plainInputs = ["deploymentType", "features", "chart", "chartTakesDigest", "chartVersion", "chartRepository"];

/** The inputs that are read here, as the schema has them. */
interface PlainInputs {
    deploymentType: string;
    features?: SiteFeatures;
    mirror?: unknown;
    chart: string;
    chartVersion?: string;
    chartRepository?: string;
}

/** Declares a resource that belongs to the site and has its name. */
export type Declare = (
    resource: Pick<Declaration, "type" | "inputs" | "dependsOn">,
) => Promise<Pick<RegisteredResource, "urn" | "output">>;

/**
 * A documentation site on Kubernetes, as the npm package's component of this name: its export, optionally a durable copy
 * of the bundle, a check, and a Helm release that serves it.
 *
 * @param values - the inputs in clear
 * @param wire - the inputs as they travel, which is how they are passed on
 * @returns the outputs as they travel
 * @throws Error when the inputs contradict the feature matrix or each other
 */
export async function declareSite(
    name: string,
    { values, wire }: { values: Properties; wire: WireProperties },
    declare: Declare,
): Promise<WireProperties> {
    assertDeployable(name, values);
    const bundle = await declare({
        type: "static-export:index:StaticExportBundle",
        // Only the mirror uses the link, and it requests a fresh one: an expired link needs no update.
        inputs: { ...pick(wire, exportInputs), ...(wire["mirror"] === undefined ? {} : { renewLink: false }) },
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
    const { chartTakesDigest, expectedSha256 } = values;
    const check = await declare({
        type: "static-export:index:BundleCheck",
        inputs: {
            jobId,
            // With a mirror, the pods fetch its copy, so the copy is what is checked.
            ...(mirror && { mirror: { ...pick(givenMirror, copyInputs), sha256: mirror.output("sha256") } }),
            ...pick(wire, ["expectedSha256"]),
            ...(chartTakesDigest === true ? bundleLimits(fieldsOf(values["values"])) : {}),
            ...(keepsReadersApart(values) ? { access: true } : {}),
        },
        dependsOn: [bundle.urn, ...(mirror ? [mirror.urn] : [])],
    });
    const { chart, chartVersion, chartRepository } = values;
    // Behind a renewed link, the platform does not promise the same bytes.
    const hasFixedBytes = mirror !== undefined || expectedSha256 !== undefined;
    const release = await declare({
        type: releaseType,
        inputs: {
            name: wire["releaseName"] ?? name,
            namespace: wire["namespace"] ?? "default",
            chart,
            ...(chartVersion === undefined ? {} : { version: chartVersion }),
            ...(chartRepository === undefined ? {} : { repositoryOpts: { repo: chartRepository } }),
            values: withExport(wire["values"], pick(wire, ["access"]), {
                enabled: true,
                bundleUrl: mirror ? mirror.output("url") : bundle.output("bundleUrl"),
                // Without a version of its own, a site is identified by its export job; so is an earlier one.
                version: givenMirror?.["pin"] ?? wire["version"] ?? jobId,
                ...(chartTakesDigest === true && hasFixedBytes ? { sha256: check.output("sha256") } : {}),
            }),
            // Rolls a failed rollout back by a deadline and leaves nothing half-made or locked.
            atomic: true,
            cleanupOnFail: true,
            timeout: wire["rolloutTimeoutSeconds"] ?? 600,
            maxHistory: 5,
        },
        dependsOn: [check.urn, bundle.urn, ...(mirror ? [mirror.urn] : [])],
    });
    return { jobId: givenMirror?.["pin"] ?? jobId, sha256: check.output("sha256"), release: release.output("name") };
}

function assertDeployable(name: string, values: Properties): void {
    const unknown = plainInputs.find((input) => isUnknown(values[input]));
    const { deploymentType, features, mirror, chart, chartVersion, chartRepository } = values as unknown as PlainInputs;
    const { access, chartTakesDigest } = values;
    const siteChart = {
        chart,
        ...(chartVersion === undefined ? {} : { version: chartVersion }),
        ...(chartRepository === undefined ? {} : { repository: chartRepository }),
    };
    const problem =
        unknown === undefined
            ? // Pulumi starts its providers in the folder of the program.
              findSiteProblem(
                  {
                      ...{ deploymentType, features, mirror, chart: siteChart },
                      ...{ access, values: values["values"], takesDigest: chartTakesDigest === true },
                  },
                  process.cwd(),
              )
            : `${unknown} must be known while the program runs`;
    if (problem !== undefined) {
        throw new Error(`DocumentationSite ${name}: ${problem}.`);
    }
}

function pick(properties: WireProperties, names: readonly string[]): WireProperties {
    return Object.fromEntries(
        Object.entries(properties).filter(([name, value]) => names.includes(name) && value !== undefined),
    );
}

/** The chart's values with those of the site. They stay secret, or unknown, as a whole where they were given so. */
function withExport(values: unknown, access: WireProperties, staticExport: WireProperties): unknown {
    if (isUnknown(values)) {
        return unknownValue;
    }
    const fields = fieldsOf(values) ?? {};
    const all = { ...fields, ...access, staticExport: { ...fieldsOf(fields["staticExport"]), ...staticExport } };
    return isSecret(values) ? { [markKey]: marks.secret, value: all } : all;
}

function fieldsOf(value: unknown): WireProperties | undefined {
    const inner = isSecret(value) ? value["value"] : value;
    return typeof inner === "object" && inner !== null ? (inner as WireProperties) : undefined;
}

function isSecret(value: unknown): value is WireProperties {
    return typeof value === "object" && value !== null && (value as WireProperties)[markKey] === marks.secret;
}
