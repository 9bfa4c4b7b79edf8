import { join } from "node:path";
import { ensureTool, run } from "@pulumi-static-export/toolchain";

/** Options of cosign, for a key or for the workflow's identity. */
export interface Signing {
    readonly sign: readonly string[];
    readonly verify: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
}

/**
 * Returns options for signatures without a key: the certificate names the workflow, and a public log records each
 * signature.
 */
export function signedByWorkflow(owner: string, version: string): Signing {
    const workflow = `https://github.com/${owner}/pulumi-static-export/.github/workflows/release.yml`;
    const identity = ["--certificate-identity", `${workflow}@refs/tags/v${version}`];
    const issuer = ["--certificate-oidc-issuer", "https://token.actions.githubusercontent.com"];
    return { sign: [], verify: [...identity, ...issuer] };
}

/** Creates a key in a folder, `cosign.key` and `cosign.pub`, for signatures that no public log records. */
export async function createCosignKey(folder: string): Promise<Signing> {
    await run(await ensureTool("cosign"), ["generate-key-pair"], { cwd: folder, env: { COSIGN_PASSWORD: "" } });
    const key = (name: string) => ["--key", join(folder, name)];
    return {
        sign: [...key("cosign.key"), "--use-signing-config=false", "--tlog-upload=false"],
        verify: [...key("cosign.pub"), "--insecure-ignore-tlog=true"],
        env: { COSIGN_PASSWORD: "" },
    };
}

/**
 * Signs an artifact in a registry, and its SBOM as an attestation, unless the artifact is signed already; then verifies
 * both signatures.
 *
 * @param reference - the artifact's reference, with its digest
 * @param sbom - the file with the SBOM
 */
export async function signOnce(reference: string, sbom: string, { sign, verify, env = {} }: Signing): Promise<void> {
    const cosign = await ensureTool("cosign");
    const steps = [
        { check: ["verify"], make: ["sign"], result: "signed" },
        {
            check: ["verify-attestation", "--type", "cyclonedx"],
            make: ["attest", "--type", "cyclonedx", "--predicate", sbom],
            result: "published with its SBOM",
        },
    ];
    for (const { check, make, result } of steps) {
        const verified = () => run(cosign, [...check, ...verify, reference]);
        const isThere = await verified().then(
            () => true,
            () => false,
        );
        if (!isThere) {
            await run(cosign, [...make, "--yes", ...sign, reference], { env });
            await verified();
        }
        console.log(`${reference} is ${result}${isThere ? " already" : ""}.`);
    }
}
