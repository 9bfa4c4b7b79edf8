import { releaseType, unknownValue } from "@pulumi-static-export/contract";
import { findServiceProblem, isUnknown, secretData, serviceValues } from "pulumi-static-export/plugin-entry";
import type { Properties } from "../wire/properties.js";
import type { ComponentInputs, Declare } from "./component.js";
import { chartInputs, chartOf, wireReleaseInputs } from "./helm-release.js";
import type { WireProperties } from "./resource-monitor.js";
import { fieldsOf, secretOf, withOwnValues } from "./wire-values.js";

/** Inputs that determine which resources are declared, so they must be known while the program runs. */
const plainInputs = ["image", "bucket", ...chartInputs];

/**
 * The self-hosted service on Kubernetes, like the npm package's component of this name: a Secret with the secret
 * inputs, and a Helm release that uses it.
 *
 * @returns the outputs in the protocol's form
 * @throws Error when the inputs contradict each other
 */
export async function declareService(
    name: string,
    { values, wire }: ComponentInputs,
    declare: Declare,
): Promise<WireProperties> {
    assertInstallable(name, values);
    const { databaseUrl, adminApiKey } = values;
    const bucket = fieldsOf(values["bucket"]) ?? {};
    // The Kubernetes provider generates the name, and replaces the Secret when its content changes: the new name causes
    // a rollout of the pods.
    const secret = await declare({
        type: "kubernetes:core/v1:Secret",
        inputs: {
            apiVersion: "v1",
            kind: "Secret",
            metadata: { namespace: wire["namespace"] ?? "default" },
            stringData: secretOf(secretData({ databaseUrl, adminApiKey, bucket })),
        },
    });
    const existingSecret = fieldsOf(secret.output("metadata"))?.["name"] ?? unknownValue;
    const { publicUrl, sites } = wire;
    const inputs = { image: fieldsOf(wire["image"]), publicUrl, sites, bucket: fieldsOf(wire["bucket"]) ?? {} };
    const chartValues = withOwnValues(wire["values"], ({ image }) =>
        serviceValues(inputs, existingSecret, fieldsOf(image)),
    );
    const release = await declare({
        type: releaseType,
        inputs: wireReleaseInputs(name, { values, wire }, chartValues),
        dependsOn: [secret.urn],
    });
    return { url: wire["publicUrl"], release: release.output("name") };
}

function assertInstallable(name: string, values: Properties): void {
    const unknown = plainInputs.find((input) => isUnknown(values[input]));
    const problem =
        unknown === undefined
            ? // Pulumi starts its providers in the folder of the program.
              findServiceProblem(
                  name,
                  { ...values, bucket: fieldsOf(values["bucket"]) ?? {}, chart: chartOf(values) },
                  process.cwd(),
              )
            : `${unknown} must be known while the program runs. Only its properties may be outputs`;
    if (problem !== undefined) {
        throw new Error(`DocumentationService ${name}: ${problem}.`);
    }
}
