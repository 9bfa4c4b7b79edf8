import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tmpdir } from "node:os";
import { bucket, credentials, S3Server } from "../../../provider/bundle-mirror/s3-server.js";
import { EngineStack } from "../../support/engine-stack.js";
import { adminApiKey, domain, Platform } from "../../support/platform.js";
import { siteProgram } from "./site-program.js";
import { kubernetesProviderFolder } from "../../../support/kubernetes-provider.js";

const token = "t0ken-in-the-values-of-helm";
const annotation = "ann0tation-of-the-pods";
const clusterToken = "t0ken-of-the-cluster";

/** A kubeconfig for a cluster that no preview can reach. */
const kubeconfig = `apiVersion: v1
kind: Config
clusters:
  - name: production
    cluster: { server: "https://127.0.0.1:9" }
users:
  - name: deployer
    user: { token: ${clusterToken} }
contexts:
  - name: production
    context: { cluster: production, user: deployer }
current-context: production
`;

interface State {
    version: number;
    deployment: { resources: StateResource[] };
}

interface StateResource {
    provider?: string;
    urn: string;
    type: string;
    id?: string;
    inputs: Record<string, unknown>;
    outputs: Record<string, unknown>;
}

interface Preview {
    steps: { op: string; urn: string; newState?: StateResource; detailedDiff?: Record<string, unknown> | null }[];
}

/**
 * A stack with secrets of all kinds whose export, mirror and check are real. No cluster runs, so the Kubernetes
 * provider's plans for the two Releases are added to the state in the form that the provider stores.
 */
export class SecretStack {
    private constructor(
        readonly stack: EngineStack,
        /** Strings that must not occur in the redacted stack. */
        readonly secrets: readonly string[],
        private readonly state: string,
        private readonly folder: string,
    ) {}

    static async create(): Promise<SecretStack> {
        const folder = await mkdtemp(join(tmpdir(), "static-export-redaction-"));
        const platform = await Platform.start({ linkTtlSeconds: 24 * 3600 });
        const storage = await S3Server.start();
        try {
            const stack = await EngineStack.create({
                program: siteProgram,
                config: {
                    ...{ version: "1", domain, bucket, endpoint: storage.endpoint },
                    "static-export:baseUrl": platform.service.url,
                },
                secret: {
                    ...{ token, kubeconfig, annotations: JSON.stringify({ note: annotation }) },
                    "static-export:adminApiKey": adminApiKey,
                    "static-export:mirrorAccessKeyId": credentials.accessKeyId,
                    "static-export:mirrorSecretAccessKey": credentials.secretAccessKey,
                },
                env: { KUBECONFIG: join(folder, "no-cluster") },
                pathFolders: [await kubernetesProviderFolder()],
            });
            const { output } = await stack.run("up", "--yes", "--skip-preview", "--continue-on-error");
            const state = await withReleases(stack, output);
            const signatures = [
                ...state.replaceAll("\\\\u0026", "&").matchAll(/[?&](?:x-amz-)?signature=([\w-]+)/gi),
            ].map(([, signature = ""]) => signature);
            const encoded = [Buffer.from(`user:${token}`).toString("base64"), Buffer.from(token).toString("hex")];
            const secrets = [
                ...encoded,
                token,
                annotation,
                clusterToken,
                adminApiKey,
                credentials.secretAccessKey,
                ...signatures,
            ];
            return new SecretStack(stack, secrets, state, folder);
        } finally {
            await platform.stop();
            await storage.stop();
        }
    }

    /** Imports the original state. @param change - changes its text */
    async reset(change: (state: string) => string = (state) => state): Promise<void> {
        const file = join(this.folder, "state.json");
        await writeFile(file, change(this.state));
        await this.stack.succeed("stack", "import", "--file", file);
        await rm(file);
    }

    /** Reads the current ciphertexts of the state and the configuration, and the salts. */
    async ciphertexts(): Promise<string[]> {
        const texts = [(await this.stack.succeed("stack", "export")).stdout, await this.configuration()];
        const found = texts.flatMap((text) => text.match(/v1:[\w+/=]+:[\w+/=:]+/g) ?? []);
        return found.map((ciphertext) => ciphertext.split(":").at(-1) ?? "");
    }

    configuration(): Promise<string> {
        return readFile(join(this.stack.folder, "Pulumi.dev.yaml"), "utf8");
    }

    async remove(): Promise<void> {
        await this.stack.remove();
        await rm(this.folder, { recursive: true, force: true });
    }
}

/** Adds the Releases to the state. @param output - the output of the `up` that could not create the Releases */
async function withReleases(stack: EngineStack, output: string): Promise<string> {
    const { steps } = JSON.parse((await stack.succeed("preview", "--json")).stdout) as Preview;
    const { stdout } = await stack.succeed("stack", "export", "--show-secrets");
    const state = JSON.parse(stdout) as State;
    const planned = steps.flatMap(({ op, newState }) =>
        op === "create" && newState?.type === "kubernetes:helm.sh/v3:Release" ? [newState] : [],
    );
    if (planned.length !== 2) {
        throw new Error(`The preview plans ${planned.length} Releases, after this:\n${output}`);
    }
    const outputsOf = (name: string) => state.deployment.resources.find(({ urn }) => urn.endsWith(name))?.outputs ?? {};
    const secretsOf: Record<string, Record<string, unknown>> = {
        docs: {
            podAnnotations: secret({ note: annotation }),
            token: secret(token),
            bundleUrl: outputsOf(":StaticExportBundle::docs")["bundleUrl"],
        },
        site: { bundleUrl: outputsOf(":BundleMirror::site")["url"] },
    };
    for (const release of planned) {
        const name = String(release.inputs["name"]);
        const inputs = withSecrets(release.inputs, secretsOf[name] ?? {}) as Record<string, unknown>;
        const status = { status: "deployed", revision: 1, name, namespace: "docs", chart: "documentation-site" };
        state.deployment.resources.push({
            ...release,
            // In a preview, the identifier of a new provider is unknown.
            provider: providerOf(release, state),
            id: `docs/${name}`,
            inputs,
            outputs: { ...inputs, status, resourceNames: {}, __inputs: secret(inputs) },
        });
    }
    return JSON.stringify(state);
}

/** Replaces each "[secret]", which a preview shows instead of the secret. @param secrets - by property name */
function withSecrets(value: unknown, secrets: Record<string, unknown>, name = ""): unknown {
    if (value === "[secret]") {
        if (secrets[name] === undefined) {
            throw new Error(`The preview has a secret that nobody expects: ${name}`);
        }
        return secrets[name];
    }
    if (typeof value !== "object" || value === null) {
        return value;
    }
    return Array.isArray(value)
        ? value.map((member) => withSecrets(member, secrets, name))
        : Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withSecrets(member, secrets, key)]));
}

function secret(value: unknown): object {
    return { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", plaintext: JSON.stringify(value) };
}

function providerOf({ provider = "" }: StateResource, { deployment }: State): string {
    const urn = provider.split("::").slice(0, 4).join("::");
    return `${urn}::${deployment.resources.find((each) => each.urn === urn)?.id}`;
}

/** Returns the planned actions of a preview, resource by resource, with reasons. */
export async function plan(stack: EngineStack): Promise<Record<string, [string, string[]]>> {
    const { stdout } = await stack.succeed("preview", "--json");
    const { steps } = JSON.parse(stdout) as Preview;
    return Object.fromEntries(
        steps.map(({ urn, op, detailedDiff }) => [
            urn.split("::").slice(2).join("::"),
            [op, Object.keys(detailedDiff ?? {}).sort()],
        ]),
    );
}
