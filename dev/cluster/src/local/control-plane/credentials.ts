import { randomBytes } from "node:crypto";

export interface Credential {
    readonly user: string;
    readonly groups: readonly string[];
    readonly token: string;
}

export const nameServerUser = "static-export:coredns";
export const firewallUser = "static-export:kube-router";

/**
 * Creates a token for each client of the API server, under the user name to which Kubernetes's built-in roles are
 * bound.
 */
export function createCredentials(nodeName: string) {
    const credential = (user: string, ...groups: string[]): Credential => ({
        user,
        groups,
        token: randomBytes(24).toString("hex"),
    });
    return {
        admin: credential("admin", "system:masters"),
        "kube-controller-manager": credential("system:kube-controller-manager"),
        "kube-scheduler": credential("system:kube-scheduler"),
        "kube-proxy": credential("system:kube-proxy"),
        kubelet: credential(`system:node:${nodeName}`, "system:nodes"),
        coredns: credential(nameServerUser),
        "kube-router": credential(firewallUser),
    };
}

/** Returns a file in the format of kube-apiserver's `--token-auth-file`: token, user, uid, groups. */
export function tokenFile(credentials: Readonly<Record<string, Credential>>): string {
    return Object.values(credentials)
        .map(({ token, user, groups }) => `${token},${user},${user},"${groups.join(",")}"\n`)
        .join("");
}

/** Returns a kubeconfig file as JSON, which is also YAML. */
export function kubeconfig(name: string, server: string, authority: string, { token }: Credential): string {
    return JSON.stringify(
        {
            apiVersion: "v1",
            kind: "Config",
            "current-context": name,
            clusters: [
                { name, cluster: { server, "certificate-authority-data": Buffer.from(authority).toString("base64") } },
            ],
            users: [{ name, user: { token } }],
            contexts: [{ name, context: { cluster: name, user: name } }],
        },
        undefined,
        2,
    );
}
