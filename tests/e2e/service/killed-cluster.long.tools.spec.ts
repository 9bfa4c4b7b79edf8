import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresPrograms } from "../../service/support/postgres.js";
import { isLong, scaled } from "../../scale.js";
import { Cluster, type Part } from "./support/cluster.js";
import { CutNetwork } from "./support/cut-network.js";
import { killWhileExporting } from "./support/kill-parts.js";

const kills = scaled({ short: 4, long: 14 });

/** The specs kill every part in turn, and workers most often. */
const victims = {
    folder: ["worker 1", "api", "worker 2", "postgres"],
    bucket: ["worker 1", "storage", "worker 2", "postgres", "worker 1", "api"],
} as const satisfies Record<string, readonly Part[]>;

for (const storage of ["folder", "bucket"] as const) {
    const how = storage === "folder" ? "and one data folder" : "a bucket and no shared folder";
    describe(`A service, two workers and PostgreSQL, ${how}, with one of them killed ${kills} times`, function () {
        this.timeout(240_000 + kills * 30_000);

        before(function () {
            if (postgresPrograms() === undefined) {
                this.skip();
            }
        });

        it("finish every job once with a complete bundle, and leave no bundle without a job", async () => {
            await withCluster(storage, (cluster) =>
                killWhileExporting(cluster, {
                    count: kills,
                    ...(isLong ? { jobs: scaled({ short: 0, long: 200 }) } : {}),
                    order: victims[storage],
                    cutsConnections: "api",
                    hasBucket: storage === "bucket",
                }),
            );
        });
    });
}

describe("A worker that is disconnected until its jobs are reassigned", function () {
    this.timeout(240_000);

    before(async function () {
        if (postgresPrograms() === undefined || !(await CutNetwork.isPossible())) {
            this.skip();
        }
    });

    it("drops its results after reconnecting, so every job ends once with a complete bundle", async () => {
        const network = await CutNetwork.create();
        try {
            await withCluster(
                "bucket",
                async (cluster) => {
                    await killWhileExporting(cluster, { count: 1, order: ["network of worker 1"], hasBucket: true });
                    const log = await cluster.log();
                    assert.match(log, /was taken from its worker, which has not been heard from/);
                    assert.match(log, /was given to another worker: this (?:run has ended|result is dropped)/);
                },
                network,
            );
        } finally {
            await network.remove();
        }
    });
});

async function withCluster(
    storage: "folder" | "bucket",
    use: (cluster: Cluster) => Promise<void>,
    network?: CutNetwork,
): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), "killed-cluster-"));
    let cluster: Cluster | undefined;
    try {
        cluster = await Cluster.start(folder, storage, network);
        await use(cluster);
    } finally {
        await cluster?.stop();
        await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    }
}
