import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bucket, credentials, S3Server } from "../../../provider/bundle-mirror/s3-server.js";
import { EngineStack } from "../../support/engine-stack.js";
import { adminApiKey, Platform } from "../../support/platform.js";
import type { CommandResult } from "../../support/run-command.js";
import { KubernetesApi } from "./kubernetes-api.js";
import { kubernetesProviderFolder } from "../../../support/kubernetes-provider.js";

/** The pack as an executable file, because the language host that is built from source cannot run a folder. */
const pack = fileURLToPath(new URL("../../../../policy/bin/policy-pack.mjs", import.meta.url));

/** The engine's output about a violated rule. */
interface PrintedViolation {
    level: string;
    policy: string;
    /** The type without its module, and the name: `Release literal`. */
    resource: string;
}

export interface PolicyRun extends CommandResult {
    violations: PrintedViolation[];
}

/**
 * A stack whose previews and updates run the policy pack, with a platform, a storage and a Kubernetes API for charts.
 */
export class PolicyStack {
    private constructor(
        readonly platform: Platform,
        private readonly s3: S3Server,
        private readonly kubernetes: KubernetesApi,
        readonly stack: EngineStack,
    ) {}

    /** @param program - may use `storage`, the inputs of a mirror, and the chart `./chart`, which renders nothing */
    static async create(program: string, packConfig: object, domains: string[]): Promise<PolicyStack> {
        const platform = await Platform.start({ domains });
        const s3 = await S3Server.start();
        const kubernetes = await KubernetesApi.start();
        const stack = await EngineStack.create({
            program: "",
            config: { "static-export:baseUrl": platform.service.url },
            secret: {
                "static-export:adminApiKey": adminApiKey,
                "static-export:mirrorAccessKeyId": credentials.accessKeyId,
                "static-export:mirrorSecretAccessKey": credentials.secretAccessKey,
            },
            env: { KUBECONFIG: "kubeconfig.json" },
            pathFolders: [await kubernetesProviderFolder()],
        });
        await mkdir(join(stack.folder, "chart"));
        await writeFile(join(stack.folder, "chart", "Chart.yaml"), "apiVersion: v2\nname: site\nversion: 1.0.0\n");
        await writeFile(join(stack.folder, "pack-config.json"), JSON.stringify(packConfig));
        await kubernetes.writeKubeconfig(join(stack.folder, "kubeconfig.json"));
        const created = new PolicyStack(platform, s3, kubernetes, stack);
        await created.writeProgram(program);
        return created;
    }

    async writeProgram(program: string): Promise<void> {
        const storage = { bucket, endpoint: this.s3.endpoint, publicUrl: `${this.s3.endpoint}/${bucket}` };
        await this.stack.writeProgram(
            `import * as k8s from "@pulumi/kubernetes";\nimport { BundleMirror } from "pulumi-static-export";\n` +
                `import { BundleCheck, DocumentationSite } from "pulumi-static-export/site";\n` +
                `const storage = ${JSON.stringify(storage)};\n${program}`,
        );
    }

    async run(...command: string[]): Promise<PolicyRun> {
        const given = ["--policy-pack", pack, "--policy-pack-config", join(this.stack.folder, "pack-config.json")];
        const result = await this.stack.run(...command, ...given);
        return { ...result, violations: violationsIn(result.output) };
    }

    preview(): Promise<PolicyRun> {
        return this.run("preview");
    }

    up(): Promise<PolicyRun> {
        return this.run("up", "--yes", "--skip-preview");
    }

    async remove(): Promise<void> {
        await this.stack.remove();
        await this.kubernetes.stop();
        await this.s3.stop();
        await this.platform.stop();
    }
}

function violationsIn(output: string): PrintedViolation[] {
    const lines = output.matchAll(/^ +- \[(advisory|mandatory)\] (?:\[severity: \w+\] )? *(\S+) +\((\S+): (.*)\)$/gm);
    return [...lines].map(([, level, policy, type, name]) => ({
        level: level!,
        policy: policy!,
        resource: `${type!.split(":").pop()} ${name}`,
    }));
}
