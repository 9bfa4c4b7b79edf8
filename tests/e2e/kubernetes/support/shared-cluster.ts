import { type Cluster, clusterDown, clusterStatus, clusterUp } from "@pulumi-static-export/cluster";
import { skipWithoutCluster } from "./skip-without-cluster.js";

/** A cluster on this machine, with all its addresses. */
export type LocalCluster = Required<Cluster>;

const options = { name: "e2e", kind: "local" } as const;

let starting: Promise<LocalCluster> | undefined;
let wasUp = false;

/**
 * Provides the cluster that all specs share. The first spec starts the cluster, and a hook removes the cluster after
 * the last spec. If this machine cannot run a cluster, the suite is skipped, or fails in CI. A cluster that was already
 * running keeps running: `npm run cluster -- up --name e2e` avoids a start per run while you work on a spec.
 */
export function useSharedCluster(): () => LocalCluster {
    let cluster: LocalCluster;
    before("the shared cluster", async function () {
        await skipWithoutCluster(this);
        // With an empty cache, Kubernetes is compiled first.
        this.timeout(30 * 60_000);
        cluster = await (starting ??= start());
    });
    return () => cluster;
}

async function start(): Promise<LocalCluster> {
    wasUp = (await clusterStatus(options)).state === "running";
    return (await clusterUp(options)) as LocalCluster;
}

// This hook is outside of all suites, so mocha runs it once, after all files.
after("the shared cluster", async function () {
    this.timeout(120_000);
    if (starting !== undefined && !wasUp) {
        await clusterDown({ ...options, onProgress: () => undefined });
    }
});
