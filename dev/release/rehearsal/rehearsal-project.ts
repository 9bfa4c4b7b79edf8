import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "@pulumi-static-export/toolchain";
import { withOwner } from "../names/owner-names.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Finds a guide's code blocks by title. The blocks contain the owner's names, as they do in a release. */
export function titledBlocks(page: string, owner: string): (title: string) => string {
    const text = withOwner(readFileSync(join(root, page), "utf8"), owner);
    const blocks = new Map(
        [...text.matchAll(/^```\w+ title="([^"]+)"\n([^]*?)\n```$/gm)].map(([, title = "", block = ""]) => [
            title,
            block,
        ]),
    );
    return (title) => {
        const block = blocks.get(title);
        if (block === undefined) {
            throw new Error(`${page} has no block with the title "${title}".`);
        }
        return block;
    };
}

/** A folder where the rehearsal runs commands. */
export class RehearsalProject {
    constructor(
        readonly folder: string,
        private readonly env: Readonly<Record<string, string>>,
        files: Readonly<Record<string, string>> = {},
    ) {
        mkdirSync(join(folder, ".state"), { recursive: true });
        for (const [name, text] of Object.entries(files)) {
            mkdirSync(dirname(join(folder, name)), { recursive: true });
            writeFileSync(join(folder, name), text);
        }
    }

    /** Runs commands as they are written in a guide. */
    async type(commands: string): Promise<string> {
        return run("bash", ["-euo", "pipefail", "-c", commands], {
            cwd: this.folder,
            env: { ...this.env, PULUMI_BACKEND_URL: `file://${join(this.folder, ".state")}` },
        });
    }

    /** Returns the job id of the stack's bundle, from the stack's state. */
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
