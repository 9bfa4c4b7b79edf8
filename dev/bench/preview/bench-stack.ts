import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureKubernetesProvider } from "@pulumi-static-export/toolchain";
import { EngineStack } from "../../../tests/e2e/support/engine-stack.js";

const pack = fileURLToPath(new URL("../../../policy/bin/policy-pack.mjs", import.meta.url));

/** What one preview took, including every process that the engine starts. */
export interface Usage {
    /** Seconds. */
    wall: number;
    /** Seconds, summed over all processors. */
    cpu: number;
}

/** One program in a separate, empty stack, like the preview that checks a pull request without a state. */
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

    async preview({ withPack = false } = {}): Promise<Usage> {
        const startedMs = performance.now();
        const cpu = cpuSecondsOfChildren();
        await this.stack.succeed("preview", ...(withPack ? ["--policy-pack", pack] : []));
        return { wall: (performance.now() - startedMs) / 1000, cpu: cpuSecondsOfChildren() - cpu };
    }

    remove(): Promise<void> {
        return this.stack.remove();
    }
}

/** The kernel adds a child's time here, in hundredths of a second, once its parent has waited for it. */
function cpuSecondsOfChildren(): number {
    const fields = readFileSync("/proc/self/stat", "utf8")
        .replace(/^.*\) /, "")
        .split(" ");
    const [user, system] = fields.slice(13, 15).map(Number);
    return ((user ?? 0) + (system ?? 0)) / 100;
}
