import { type EngineStack } from "../../support/engine-stack.js";
import { type ClusterPlatform } from "./cluster-platform.js";
import { type Namespace } from "./namespace.js";
import { clusterValues, createSiteStack } from "./site-stack.js";

/** Creates a stack of an unchanged program in examples/, configured for the cluster as a user would configure it. */
export function createExampleStack(
    name: string,
    namespace: Namespace,
    platform: ClusterPlatform,
    config: Record<string, string> = {},
    secret: Record<string, string> = {},
): Promise<EngineStack> {
    const { image, ...others } = clusterValues(namespace.cluster);
    // Other charts need only the image's name.
    const values = name === "own-chart" ? { image } : { image, ...others };
    return createSiteStack(namespace, platform, {
        program: new URL(`../../../../examples/${name}/`, import.meta.url),
        config: { namespace: namespace.name, values: JSON.stringify(values), ...config },
        secret,
    });
}
