import { findChartProblem } from "../documentation-site/chart.js";
import { findReleaseProblem, type ReleasePlan } from "../documentation-site/find-release-problem.js";

/**
 * The inputs of a service's resources, for the component in a program and for the plugin. In a program, each value is
 * an `Input` of Pulumi; in the plugin, each value has the form of the protocol.
 */
interface Credentials<Text> {
    accessKeyId?: Text;
    secretAccessKey?: Text;
}

/**
 * Returns why a service cannot be installed with these inputs, or undefined.
 *
 * @param name - of the component
 * @param programFolder - the base of relative paths; without it, a local chart is not checked
 */
export function findServiceProblem(
    name: string,
    { bucket, ...release }: ReleasePlan & { bucket: Credentials<unknown> },
    programFolder?: string,
): string | undefined {
    return (bucket.accessKeyId === undefined) === (bucket.secretAccessKey === undefined)
        ? (findChartProblem(release.chart, programFolder) ?? findReleaseProblem(name, release, programFolder))
        : "bucket.accessKeyId and bucket.secretAccessKey belong together: set both, or neither to use the pods' role";
}

interface Secrets<Text> {
    databaseUrl: Text;
    adminApiKey: Text;
    bucket: Credentials<Text>;
}

/** Returns the content of the Secret that the component creates. */
export function secretData<Text>({ databaseUrl, adminApiKey, bucket }: Secrets<Text>): Record<string, Text> {
    const { accessKeyId, secretAccessKey } = bucket;
    return {
        "database-url": databaseUrl,
        "admin-api-key": adminApiKey,
        ...(accessKeyId !== undefined &&
            secretAccessKey !== undefined && { "access-key-id": accessKeyId, "secret-access-key": secretAccessKey }),
    };
}

/** The inputs that become values of the chart. `bucket` includes its credentials. */
interface ServiceInputs {
    image: unknown;
    publicUrl: unknown;
    sites: unknown;
    bucket: object;
}

/**
 * Returns the values that the component sets in its chart.
 *
 * @param existingSecret - the name of the Secret
 * @param givenImage - `image` of the program's own values
 */
export function serviceValues(
    { image, publicUrl, sites, bucket }: ServiceInputs,
    existingSecret: unknown,
    givenImage: unknown,
): Record<string, unknown> {
    const { accessKeyId, secretAccessKey: _, ...reached } = bucket as Credentials<unknown>;
    return {
        image: { ...(givenImage as object | undefined), ...(image as object) },
        publicUrl,
        sites,
        database: { existingSecret },
        adminKey: { existingSecret },
        bucket: { ...reached, ...(accessKeyId !== undefined && { existingSecret }) },
    };
}
