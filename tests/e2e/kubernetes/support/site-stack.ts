import { dirname } from "node:path";
import { ensureKubernetesProvider } from "@pulumi-static-export/toolchain";
import { EngineStack, type EngineStackOptions } from "../../support/engine-stack.js";
import { adminApiKey } from "../../support/platform.js";
import { type ClusterPlatform } from "./cluster-platform.js";
import { type Namespace } from "./namespace.js";
import { type LocalCluster } from "./shared-cluster.js";

/** The chart, relative to the folder of a stack's program. */
export const chart = "../../charts/documentation-site";

/** Returns the chart's values for a cluster that reaches no registry, and for pods that stop quickly. */
export function clusterValues({ images }: LocalCluster) {
    const imageOf = (name: string) => {
        const [repository, tag] = name.split(":");
        return { repository, tag, pullPolicy: "Never" };
    };
    return {
        replicaCount: 1,
        image: imageOf(images.nginx),
        nginx: { keepaliveSeconds: 4, drainSeconds: 5 },
        fetch: { image: imageOf(images.node), attempts: 2, retryDelaySeconds: 0, limits: { siteMiB: 32 } },
    };
}

interface ReleaseText {
    /** @default "docs" */
    name?: string;
    /** The source code of the chart value `staticExport`. */
    staticExport: string;
    values?: object;
    timeoutSeconds?: number;
}

/** Returns the code of a program's Release with the chart. */
export function releaseText(namespace: Namespace, release: ReleaseText): string {
    const { name = "docs", staticExport, values = {}, timeoutSeconds = 180 } = release;
    const given = { ...clusterValues(namespace.cluster), ...values };
    return `new k8s.helm.v3.Release("${name}", {
            name: "${name}", namespace: "${namespace.name}", chart: "${chart}",
            atomic: true, cleanupOnFail: true, timeout: ${timeoutSeconds},
            values: { ...${JSON.stringify(given)}, staticExport: ${staticExport} },
        });`;
}

export const kubernetesImport = 'import * as k8s from "@pulumi/kubernetes";';

/** Returns the name of a release's objects in the chart. */
export function siteName(release = "docs"): string {
    return `${release}-documentation-site`;
}

/** Creates a stack whose programs can use the cluster and the platform. */
export async function createSiteStack(
    { cluster }: Namespace,
    platform: ClusterPlatform,
    options: EngineStackOptions,
): Promise<EngineStack> {
    return EngineStack.create({
        ...options,
        config: { "static-export:baseUrl": platform.baseUrl, ...options.config },
        secret: { "static-export:adminApiKey": adminApiKey, ...options.secret },
        env: { KUBECONFIG: cluster.kubeconfig, ...options.env },
        pathFolders: [
            ...(options.pathFolders ?? []),
            dirname(await ensureKubernetesProvider()),
            dirname(cluster.kubectl),
        ],
    });
}
