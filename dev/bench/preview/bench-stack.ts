import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureKubernetesProvider } from "@pulumi-static-export/toolchain";
import { EngineStack } from "../../../tests/e2e/support/engine-stack.js";
import { cpuSecondsOfChildren } from "../cpu-seconds.js";

export const ourPack = fileURLToPath(new URL("../../../policy/bin/policy-pack.mjs", import.meta.url));

/**
 * A pack without policies, for measuring the cost of any pack. The pack is compiled JavaScript, which starts faster
 * than a new pack's TypeScript.
 */
const emptyPack = `#!/usr/bin/env node
process.chdir(__dirname);
const { PolicyPack } = require("@pulumi/policy");
new PolicyPack("empty", { policies: [] });
`;

/** The cost of one preview, including every process that the engine starts. */
export interface Usage {
    /** Seconds. */
    wall: number;
    /** Seconds, summed over all processors. */
    cpu: number;
}

/** A program in a separate, empty stack, as in a pull request check without a state. */
export class BenchStack {
    private constructor(private readonly stack: EngineStack) {}

    static async create(program: string, count: number): Promise<BenchStack> {
        const stack = await EngineStack.create({
            program,
            config: { count: `${count}` },
            env: { KUBECONFIG: "/nonexistent" },
            pathFolders: [dirname(await ensureKubernetesProvider())],
        });
        await mkdir(join(stack.folder, "chart"));
        await writeFile(join(stack.folder, "chart", "Chart.yaml"), "apiVersion: v2\nname: site\nversion: 1.0.0\n");
        return new BenchStack(stack);
    }

    /** Writes a pack without policies next to the program, and returns its file. */
    async addEmptyPack(): Promise<string> {
        const folder = join(this.stack.folder, "empty-pack");
        await mkdir(folder);
        await writeFile(join(folder, "package.json"), '{ "name": "empty", "version": "0.0.1" }\n');
        const file = join(folder, "pack.cjs");
        await writeFile(file, emptyPack, { mode: 0o755 });
        return file;
    }

    async preview(pack?: string): Promise<Usage> {
        const startedMs = performance.now();
        const cpu = cpuSecondsOfChildren();
        await this.stack.succeed("preview", ...(pack === undefined ? [] : ["--policy-pack", pack]));
        return { wall: (performance.now() - startedMs) / 1000, cpu: cpuSecondsOfChildren() - cpu };
    }

    remove(): Promise<void> {
        return this.stack.remove();
    }
}
