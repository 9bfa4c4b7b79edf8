import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureTool, run } from "@pulumi-static-export/toolchain";
import { chartFolder } from "../../../charts/support/render-chart.js";
import { type Namespace } from "./namespace.js";
import { clusterValues } from "./site-stack.js";

/** The site's chart, installed with helm's own command. */
export class HelmRelease {
    constructor(
        private readonly namespace: Namespace,
        private readonly flags: readonly string[] = [],
    ) {}

    upgrade(values: object, ...flags: string[]): Promise<string> {
        const { kubeconfig } = this.namespace.cluster;
        const place = ["--kubeconfig", kubeconfig, "--timeout", "3m", "--wait", ...this.flags, ...flags];
        return this.#run(values, ["upgrade", "--install", ...place]);
    }

    /** Returns the objects as Argo CD renders them, which has no access to the cluster. */
    render(values: object): Promise<string> {
        return this.#run(values, ["template", "--skip-tests"]);
    }

    async rollback(): Promise<void> {
        const place = ["--kubeconfig", this.namespace.cluster.kubeconfig, "--namespace", this.namespace.name];
        await run(await ensureTool("helm"), ["rollback", "docs", "--wait", "--timeout", "3m", ...place]);
    }

    async #run(values: object, [command = "", ...flags]: string[]): Promise<string> {
        const folder = await mkdtemp(join(tmpdir(), "helm-release-"));
        try {
            const file = join(folder, "values.json");
            await writeFile(file, JSON.stringify({ ...clusterValues(this.namespace.cluster), ...values }));
            const args = ["docs", chartFolder, "--namespace", this.namespace.name, "--values", file];
            return await run(await ensureTool("helm"), [command, ...flags, ...args]);
        } finally {
            await rm(folder, { recursive: true });
        }
    }
}
