import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { clusterDown, clusterUp } from "@pulumi-static-export/cluster";
import { ensureTool } from "@pulumi-static-export/toolchain";
import { ClusterPlatform } from "../../../tests/e2e/kubernetes/support/cluster-platform.js";
import { Namespace } from "../../../tests/e2e/kubernetes/support/namespace.js";
import { type LocalCluster } from "../../../tests/e2e/kubernetes/support/shared-cluster.js";
import { exporterOf, siteArchive } from "../../../tests/e2e/kubernetes/support/archives/site-archives.js";
import {
    clusterValues,
    createSiteStack,
    kubernetesImport,
    releaseText,
} from "../../../tests/e2e/kubernetes/support/site-stack.js";
import { median } from "../median.js";
import { type Figure, secondsOf } from "./figure.js";

const run = promisify(execFile);
const chart = fileURLToPath(new URL("../../../charts/documentation-site", import.meta.url));
const cluster = { name: "bench", kind: "local" } as const;
const replicaCount = 2;

/**
 * Rolls out new versions of one site, alternating between `pulumi up` (job, link, release) and `helm upgrade --wait`
 * with an existing link. Exports are instant. Both end when all new pods are ready.
 */
export async function measureRollouts(rounds: number): Promise<Figure[]> {
    const up = (await clusterUp(cluster)) as LocalCluster;
    const exporter = exporterOf(({ version = "" }) => siteArchive(version));
    const platform = await ClusterPlatform.start(up, { exporter });
    const namespace = await Namespace.create(up, "bench");
    const staticExport = "{ enabled: true, bundleUrl: bundle.bundleUrl, version: bundle.version }";
    const stack = await createSiteStack(namespace, platform, {
        program: `${kubernetesImport}
            const version = new pulumi.Config().require("version");
            const bundle = new StaticExportBundle("docs", { domain: "docs.example.com", version });
            export const { bundleUrl } = bundle;
            ${releaseText(namespace, { staticExport, values: { replicaCount } })}`,
        config: { version: "0" },
    });
    const seconds = { pulumi: [] as number[], unchanged: [] as number[], helm: [] as number[] };
    try {
        await stack.up();
        const values = join(stack.folder, "values.json");
        const helm = await ensureTool("helm");
        const upgrade = async (version: string) => {
            const bundleUrl = await stack.output("bundleUrl");
            const given = { ...clusterValues(up), replicaCount, staticExport: { enabled: true, bundleUrl, version } };
            await writeFile(values, JSON.stringify(given));
            const where = ["--namespace", namespace.name, "--kubeconfig", up.kubeconfig];
            return secondsOf(() =>
                run(helm, ["upgrade", "--install", "peer", chart, "--values", values, "--wait", ...where]),
            );
        };
        await upgrade("first");
        for (let round = 1; round <= rounds; round++) {
            await stack.succeed("config", "set", "version", `${round}`);
            seconds.pulumi.push(await secondsOf(() => stack.up()));
            seconds.unchanged.push(await secondsOf(() => stack.up()));
            seconds.helm.push(await upgrade(`${round}`));
        }
    } finally {
        await stack.succeed("destroy", "--yes", "--skip-preview");
        await stack.remove();
        await platform.stop();
        await clusterDown(cluster);
    }
    const ratio = (all: number[]) => `${(median(all) / median(seconds.helm)).toFixed(2)} of helm`;
    return [
        {
            what: `pulumi up: export, link, rollout (${replicaCount} replicas)`,
            seconds: seconds.pulumi,
            ratio: ratio(seconds.pulumi),
        },
        { what: "pulumi up with nothing to do", seconds: seconds.unchanged, ratio: ratio(seconds.unchanged) },
        { what: "helm upgrade --wait, link at hand", seconds: seconds.helm, ratio: "1" },
    ];
}
