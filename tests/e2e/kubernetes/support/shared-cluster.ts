import { type Cluster, clusterDown, clusterStatus, clusterUp } from "@pulumi-static-export/cluster";
import { skipWithoutCluster } from "./skip-without-cluster.js";

/** A cluster of this machine, of which everything is known. */
export type LocalCluster = Required<Cluster>;

const options = { name: "e2e", kind: "local" } as const;

let starting: Promise<LocalCluster> | undefined;
let wasUp = false;

/**
 * Gives a describe the one cluster that all specs share, started by the first of them and removed after the last;
 * where this machine cannot run one, it is skipped, or fails in CI. One that was up before stays up
 * (`npm run cluster -- up --name e2e` saves its start while one works on a spec).
 */
export function useSharedCluster(): () => LocalCluster {
    let cluster: LocalCluster;
    before("the shared cluster", async function () {
        await skipWithoutCluster(this);
        // With nothing cached, Kubernetes is compiled first.
        this.timeout(30 * 60_000);
        cluster = await (starting ??= start());
    });
    return () => cluster;
}

async function start(): Promise<LocalCluster> {
    wasUp = (await clusterStatus(options)).state === "running";
    return (await clusterUp(options)) as LocalCluster;
}

// Outside of every describe: mocha runs it once, after all files.
after("the shared cluster", async function () {
    this.timeout(120_000);
    if (starting !== undefined && !wasUp) {
        await clusterDown({ ...options, onProgress: () => undefined });
    }
});
