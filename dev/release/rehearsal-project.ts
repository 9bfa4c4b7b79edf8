import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "@pulumi-static-export/toolchain";
import { withOwner } from "./owner-names.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** A guide's blocks by their titles, with the owner's names, as the page of a release shows them. */
export function titledBlocks(page: string, owner: string): Readonly<Record<string, string>> {
    const text = withOwner(readFileSync(join(root, page), "utf8"), owner);
    const blocks = text.matchAll(/^```\w+ title="([^"]+)"\n([^]*?)\n```$/gm);
    return Object.fromEntries([...blocks].map(([, title = "", block = ""]) => [title, block]));
}

/** An empty folder in which commands are typed. */
export class RehearsalProject {
    constructor(
        readonly folder: string,
        private readonly env: Readonly<Record<string, string>>,
    ) {
        mkdirSync(join(folder, ".state"), { recursive: true });
    }

    write(files: Readonly<Record<string, string>>): void {
        for (const [name, text] of Object.entries(files)) {
            mkdirSync(dirname(join(this.folder, name)), { recursive: true });
            writeFileSync(join(this.folder, name), text);
        }
    }

    /** Runs commands as they are written in a guide. */
    async type(commands: string): Promise<string> {
        return run("bash", ["-euo", "pipefail", "-c", commands], {
            cwd: this.folder,
            env: { ...this.env, PULUMI_BACKEND_URL: `file://${join(this.folder, ".state")}` },
        });
    }

    /** The job of the stack's bundle, from its state. */
    async jobId(): Promise<string> {
        const state = JSON.parse(await this.type("pulumi stack export")) as {
            deployment: { resources: { outputs?: { jobId?: string } }[] };
        };
        const found = state.deployment.resources.find(({ outputs }) => outputs?.jobId !== undefined)?.outputs?.jobId;
        if (found === undefined) {
            throw new Error(`The stack in ${this.folder} has no bundle.`);
        }
        return found;
    }
}
