import { parseArgs } from "node:util";
import { ToolUnavailableError } from "@pulumi-static-export/toolchain";
import { type Cluster } from "./cluster/cluster.js";
import { clusterDown } from "./cluster-down.js";
import { ClusterError } from "./cluster/cluster-error.js";
import { clusterStatus } from "./cluster-status.js";
import { clusterUp } from "./cluster-up.js";

const usage = `Usage: npm run cluster -- up       gets a Kubernetes cluster, and starts one if there is none
       npm run cluster -- status   reports whether it works
       npm run cluster -- down     removes it

  --context <name>  use this context of your kubeconfig; also STATIC_EXPORT_KUBE_CONTEXT
  --name <name>     a cluster in addition to the default one, "local"

Without a context, "up" uses kind where Docker runs. Elsewhere, it starts one node here (on Linux, as root) from Go
modules and Debian packages that it unpacks into its cache. STATIC_EXPORT_CLUSTER=kind|local allows only one of the two.
STATIC_EXPORT_CACHE_DIR moves the cache.`;

async function main(): Promise<void> {
    const { positionals, values } = parseArgs({
        allowPositionals: true,
        options: { help: { type: "boolean" }, context: { type: "string" }, name: { type: "string" } },
    });
    const { help, ...named } = values;
    const [command, ...others] = positionals;
    const interrupted = new AbortController();
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
        process.once(signal, () => interrupted.abort(new ClusterError(`Interrupted by ${signal}.`)));
    }
    const options = { ...named, signal: interrupted.signal };
    if (help === true) {
        console.log(usage);
    } else if (command === "up" && others.length === 0) {
        show(await clusterUp(options));
    } else if (command === "status" && others.length === 0) {
        await showStatus(options);
    } else if (command === "down" && others.length === 0) {
        await clusterDown(options);
        console.log("The cluster is gone.");
    } else {
        console.error(usage);
        process.exitCode = 2;
    }
}

function show({ kind, kubeconfig, kubectl, nodeAddress, hostAddress, images }: Cluster): void {
    const rows = {
        kind,
        kubectl: `${kubectl} --kubeconfig ${kubeconfig}`,
        "node address": nodeAddress,
        "this machine, for pods": hostAddress,
        images: images && Object.values(images).join(", "),
    };
    for (const [label, value] of Object.entries(rows)) {
        if (value !== undefined) {
            console.log(`${label.padEnd(24)}${value}`);
        }
    }
}

async function showStatus(options: Parameters<typeof clusterStatus>[0]): Promise<void> {
    const { name, state, problems, cluster } = await clusterStatus(options);
    console.log(`The cluster ${name} is ${state}.`);
    for (const problem of problems) {
        console.log(`- ${problem}`);
    }
    if (cluster !== undefined) {
        show(cluster);
    }
    process.exitCode = state === "running" ? 0 : 1;
}

try {
    await main();
} catch (error) {
    // Expected failures print their message without a stack.
    const expected = error instanceof ClusterError || error instanceof ToolUnavailableError;
    console.error(expected ? error.message : error);
    process.exitCode = 1;
}
