import { type EngineStack } from "../../support/engine-stack.js";
import { type ClusterPlatform } from "./cluster-platform.js";
import { type Namespace } from "./namespace.js";
import { clusterValues, createSiteStack } from "./site-stack.js";

/** A program in examples/ without changes, configured for the cluster like a user's. */
export function createExampleStack(
    name: string,
    namespace: Namespace,
    platform: ClusterPlatform,
    config: Record<string, string> = {},
    secret: Record<string, string> = {},
): Promise<EngineStack> {
    const { image, ...others } = clusterValues(namespace.cluster);
    // Another chart only needs the image's name.
    const values = name === "own-chart" ? { image } : { image, ...others };
    return createSiteStack(namespace, platform, {
        program: new URL(`../../../../examples/${name}/`, import.meta.url),
        config: { namespace: namespace.name, values: JSON.stringify(values), ...config },
        secret,
    });
}
