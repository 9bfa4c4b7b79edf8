import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isSupportedNode, nodeRange } from "@pulumi-static-export/contract";
import { temporaryFolderFix } from "../command-line/system-error.js";
import { type Examination } from "./examination.js";
import { asSentence, error, type Finding, ok, skipped, warning } from "./finding.js";
import { parseJson } from "./parse-json.js";
import { findProjectFile } from "../project/pulumi-project.js";

export function checkNode({ nodeVersion }: Examination): Finding {
    return isSupportedNode(nodeVersion)
        ? ok("Node.js", nodeVersion)
        : error("Node.js", `${nodeVersion} is not supported`, `Install Node.js ${nodeRange}.`);
}

/** Most commands need a folder for temporary files. One that can be used is not worth a line. */
export function checkTemporaryFiles(): Finding[] {
    const folder = tmpdir();
    try {
        accessSync(`${folder}/.`, constants.W_OK | constants.X_OK);
    } catch (failure) {
        const { code } = failure as NodeJS.ErrnoException;
        return [error("temporary files", `${folder} cannot be used (${code})`, `${asSentence(temporaryFolderFix)}.`)];
    }
    return [];
}

/** @param hasOther whether this folder has documentation or sites instead of a program */
export async function checkPulumi({ run, options: { cwd } }: Examination, hasOther: boolean): Promise<Finding> {
    if (hasOther && findProjectFile(cwd) === undefined) {
        return skipped("Pulumi", "there is no Pulumi program in this folder");
    }
    const result = await run("pulumi", ["version"]);
    if (result === undefined) {
        const fix = "Install Pulumi's command line as its documentation says, and open a new terminal.";
        return error("Pulumi", "pulumi is not on the PATH", fix);
    }
    if (result.exitCode !== 0) {
        const found = `pulumi version ended with exit code ${result.exitCode}`;
        return error("Pulumi", found, "Install Pulumi's command line again.");
    }
    return ok("Pulumi", result.stdout.trim().replace(/^v/, ""));
}

/**
 * Checks kubectl, which is needed only to watch a rollout, so its absence is never an error. Most projects have no
 * cluster: kubectl is checked only if the project names Kubernetes or this machine has a configuration for it.
 */
export async function checkKubectl({ run, env, options: { cwd, chart } }: Examination): Promise<Finding> {
    const configuration = env["KUBECONFIG"] || join(env["HOME"] ?? "", ".kube", "config");
    if (chart === undefined && !namesKubernetes(cwd) && !existsSync(configuration)) {
        return skipped("kubectl", "neither the project nor this machine's settings name a cluster");
    }
    const result = await run("kubectl", ["version", "--output", "json", "--request-timeout", "5s"]);
    if (result === undefined) {
        const fix =
            "Install kubectl to see why pods do not become ready. Exports, mirrors and Helm releases work without it.";
        return warning("kubectl", "kubectl is not on the PATH", fix);
    }
    const version = parseJson<{ serverVersion?: { gitVersion?: string } }>(result);
    if (version === undefined) {
        const fix = "Check KUBECONFIG and the current context, if this stack deploys to a cluster.";
        return warning("kubectl", "is installed, but cannot reach a cluster", fix);
    }
    return ok("kubectl", ["reaches a cluster", version.serverVersion?.gitVersion].filter(Boolean).join(" "));
}

/** Whether a file that a Pulumi project usually has names Kubernetes. */
function namesKubernetes(folder: string): boolean {
    return ["package.json", "Pulumi.yaml", "requirements.txt", "go.mod", "index.ts", "__main__.py"].some((name) => {
        const file = join(folder, name);
        return (
            existsSync(file) &&
            /kubernetes|documentationSiteChart|DocumentationS(?:ite|ervice)\b/.test(readFileSync(file, "utf8"))
        );
    });
}
