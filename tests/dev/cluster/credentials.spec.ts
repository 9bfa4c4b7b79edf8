import assert from "node:assert/strict";
import { createCredentials, kubeconfig, tokenFile } from "../../../dev/cluster/src/local/control-plane/credentials.js";

describe("createCredentials", () => {
    it("creates a different token for every user of every cluster", () => {
        const tokens = [createCredentials("a"), createCredentials("a")].flatMap((credentials) =>
            Object.values(credentials).map(({ token }) => token),
        );
        assert.equal(new Set(tokens).size, tokens.length);
        assert.ok(tokens.every((token) => /^[0-9a-f]{48}$/.test(token)));
    });

    it("names the kubelet's user after its node, as the node authorizer expects", () => {
        const { kubelet } = createCredentials("node-1");
        assert.deepEqual([kubelet.user, kubelet.groups], ["system:node:node-1", ["system:nodes"]]);
    });
});

describe("tokenFile", () => {
    it("writes the token, user, uid and groups", () => {
        const credentials = {
            a: { user: "admin", groups: ["x", "y"], token: "t1" },
            b: { user: "b", groups: [], token: "t2" },
        };
        assert.equal(tokenFile(credentials), 't1,admin,admin,"x,y"\nt2,b,b,""\n');
    });
});

describe("kubeconfig", () => {
    it("contains a single context, and uses it as the current context", () => {
        const credential = { user: "admin", groups: [], token: "secret" };
        const { contexts, clusters, users, ...rest } = JSON.parse(
            kubeconfig("dev", "https://10.233.0.2:6443", "PEM", credential),
        ) as Record<string, unknown>;
        assert.deepEqual(rest, { apiVersion: "v1", kind: "Config", "current-context": "dev" });
        assert.deepEqual(contexts, [{ name: "dev", context: { cluster: "dev", user: "dev" } }]);
        assert.deepEqual(users, [{ name: "dev", user: { token: "secret" } }]);
        const cluster = { server: "https://10.233.0.2:6443", "certificate-authority-data": "UEVN" };
        assert.deepEqual(clusters, [{ name: "dev", cluster }]);
    });
});
