import { generateKeyPairSync } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { type NetworkPlan } from "../network/network-plan.js";

/** The mount point of the state folder's `etc` in the node. */
export const etcInside = "/etc/static-export";

const validDays = "3650";

/** Returns the names and addresses of the API server, in the form that its certificate needs. */
export function apiServerNames({ nodeAddress, apiServiceAddress }: NetworkPlan, nodeName: string): string {
    const names = ["localhost", nodeName, "kubernetes", "kubernetes.default", "kubernetes.default.svc"];
    const addresses = [nodeAddress, apiServiceAddress, "127.0.0.1"];
    return [
        ...names.map((name) => `DNS:${name}`),
        "DNS:kubernetes.default.svc.cluster.local",
        ...addresses.map((address) => `IP:${address}`),
    ].join(",");
}

/**
 * Creates the cluster's certificate authority, the API server's certificate, the client certificate that it presents to
 * the kubelet, and the key pair that signs service account tokens.
 *
 * @param run Runs a command in the node, whose openssl is recent enough.
 */
export async function createCertificates(
    etcFolder: string,
    subjectAlternativeNames: string,
    run: (command: readonly string[]) => Promise<unknown>,
): Promise<void> {
    const create = (name: string, subject: string, ...more: string[]) =>
        run([
            ...["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc"],
            ...["-days", validDays, "-subj", subject, "-config", `${etcInside}/openssl.cnf`],
            ...["-keyout", `${etcInside}/${name}.key`, "-out", `${etcInside}/${name}.crt`, ...more],
        ]);
    const signed = ["-CA", `${etcInside}/ca.crt`, "-CAkey", `${etcInside}/ca.key`];

    await writeFile(path.join(etcFolder, "openssl.cnf"), "[req]\ndistinguished_name = name\n[name]\n");
    await create("ca", "/CN=static-export-cluster", "-addext", "basicConstraints=critical,CA:TRUE");
    await create(
        ...(["api-server", "/CN=kube-apiserver", ...signed] as const),
        ...["-addext", "basicConstraints=critical,CA:FALSE", "-addext", "extendedKeyUsage=serverAuth"],
        ...["-addext", `subjectAltName=${subjectAlternativeNames}`],
    );
    await create(
        ...(["kubelet-client", "/O=system:masters/CN=kube-apiserver-kubelet-client", ...signed] as const),
        ...["-addext", "basicConstraints=critical,CA:FALSE", "-addext", "extendedKeyUsage=clientAuth"],
    );
    const { privateKey, publicKey } = generateKeyPairSync("rsa", {
        modulusLength: 2048,
        privateKeyEncoding: { type: "pkcs8", format: "pem" },
        publicKeyEncoding: { type: "spki", format: "pem" },
    });
    await writeFile(path.join(etcFolder, "service-accounts.key"), privateKey, { mode: 0o600 });
    await writeFile(path.join(etcFolder, "service-accounts.pub"), publicKey);
}
