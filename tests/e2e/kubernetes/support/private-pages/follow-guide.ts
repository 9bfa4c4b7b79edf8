import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { ensureTool } from "@pulumi-static-export/toolchain";
import { codeBlocks, root } from "../../../../docs/support/documents.js";
import { withFolder, writeFiles } from "../../../../exporter/support/site-fixture.js";
import { type Namespace } from "../namespace.js";

const guide = "docs/guides/private-pages.md";

/** Finds the only block of the guide that contains this text. */
function blockWith(text: string): string {
    const found = codeBlocks(guide).filter((block) => block.text.includes(text));
    assert.equal(found.length, 1, `${guide} has ${found.length} blocks with ${text}`);
    return found[0]?.text ?? "";
}

export const secretCommand = blockWith("kubectl create secret generic docs-sign-in");
export const installCommand = blockWith("helm upgrade --install docs ");

/** Returns the guide's values, with addresses that exist. */
export function guideValues(issuer: string, url: string): string {
    return blockWith("url: https://docs.example.com")
        .replace("https://id.example.com/realms/company", issuer)
        .replace("https://docs.example.com", url);
}

/**
 * Runs a command of the guide in a folder with these files, for a namespace of the cluster.
 *
 * @param helmOptions - options that only this cluster needs
 */
export async function follow(
    command: string,
    { cluster, name }: Namespace,
    files: Record<string, string>,
    helmOptions = "",
): Promise<void> {
    const where = `--kubeconfig '${cluster.kubeconfig}' --namespace '${name}'`;
    const script = `set -e
        kubectl() { command kubectl ${where} "$@"; }
        helm() { command helm "$@" ${where} ${helmOptions}; }
        mkdir -p node_modules/pulumi-static-export
        ln -s '${join(root, "charts")}' node_modules/pulumi-static-export/charts
        ${command}`;
    const path = [dirname(cluster.kubectl), dirname(await ensureTool("helm")), process.env["PATH"]].join(":");
    await withFolder(async (folder) => {
        await writeFiles(folder, files);
        await promisify(execFile)("bash", ["-c", script], { cwd: folder, env: { ...process.env, PATH: path } });
    });
}
