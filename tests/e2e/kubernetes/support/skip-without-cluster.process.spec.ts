import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { skipWithoutCluster } from "./skip-without-cluster.js";

const look = () => Promise.resolve(["it needs root (run it with sudo)"]);

describe("a spec that needs a cluster", () => {
    const skipped = async (options: Parameters<typeof skipWithoutCluster>[1]) => {
        let isSkipped = false;
        await skipWithoutCluster({ skip: () => (isSkipped = true) }, options);
        return isSkipped;
    };

    it("is skipped if no cluster can be started", async () => {
        assert.equal(await skipped({ look, isRequired: false }), true);
    });

    it("fails with the reason if a cluster is required but cannot be started", async () => {
        await assert.rejects(skipped({ look, isRequired: true }), {
            message: /^No local cluster can be started here: it needs root \(run it with sudo\)\./,
        });
    });

    it("runs if a cluster can be started, whether required or not", async () => {
        const found = () => Promise.resolve([]);
        assert.equal(await skipped({ look: found, isRequired: true }), false);
        assert.equal(await skipped({ look: found, isRequired: false }), false);
    });

    it("requires a cluster when started by .ci/run", async () => {
        const folder = await mkdtemp(path.join(tmpdir(), "ci-"));
        try {
            await writeFile(path.join(folder, "npm"), '#!/bin/sh\necho "required: $STATIC_EXPORT_REQUIRE_CLUSTER"\n', {
                mode: 0o755,
            });
            const { STATIC_EXPORT_REQUIRE_CLUSTER: _, ...others } = process.env;
            const env = { ...others, PATH: `${folder}:${process.env.PATH}` };
            const ci = fileURLToPath(new URL("../../../../.ci/run", import.meta.url));
            assert.match((await promisify(execFile)(ci, { env })).stdout, /^required: 1$/m);
        } finally {
            await rm(folder, { recursive: true });
        }
    });
});
