import assert from "node:assert/strict";
import { type Container, exported, podTemplate, render, sidecars } from "./support/render-chart.js";

const hostile = 'x"}\ninjected: "yes" #\n---\nkind: Injected';

/** Sets only the value at this path. */
function at(path: string, value: unknown): object {
    return path
        .split(".")
        .reverse()
        .reduce((inner: unknown, key) => ({ [key]: inner }), value) as object;
}

function holdsInjected(value: unknown): boolean {
    if (typeof value !== "object" || value === null) {
        return false;
    }
    return "injected" in value || Object.values(value).some(holdsInjected);
}

const oidc = {
    access: {
        oidc: { issuer: "https://id.example.com", clientId: "a", existingSecret: "b", url: "https://example.com" },
    },
};

describe("documentation-site: a value with quotes and line breaks is quoted or refused", function () {
    this.timeout(120_000);

    for (const [path, ...needed] of [
        ["priorityClassName"],
        ["fullnameOverride"],
        ["nameOverride"],
        ["siteVolumeSizeLimit"],
        ["image.repository"],
        ["image.tag"],
        ["image.pullPolicy"],
        ["fetch.image.pullPolicy"],
        ["fetch.image.repository"],
        ["fetch.certificateAuthority.configMap"],
        ["fetch.certificateAuthority.key", at("fetch.certificateAuthority.configMap", "ca")],
        ["serviceAccount.name"],
        ["service.type"],
        ["cache.existingClaim", at("cache.enabled", true)],
        ["cache.size", at("cache.enabled", true)],
        ["cache.storageClassName", at("cache.enabled", true)],
        ["ingress.className", at("ingress.enabled", true)],
        ["ingress.hosts", at("ingress.enabled", true)],
        ["staticExport.version"],
        ["access.oidc.issuer", oidc],
        ["access.oidc.url", oidc],
        ...["clientId", "existingSecret", "groupsClaim", "image.tag", "image.pullPolicy"].map(
            (name): [string, object] => [`access.oidc.${name}`, oidc],
        ),
        ["access.header.groups"],
        ["access.header.separator", at("access.header.groups", "X-Groups")],
        ["access.header.user", at("access.header.groups", "X-Groups")],
        ["access.header.signInUrl", at("access.header.groups", "X-Groups")],
    ] as [string, ...object[]][]) {
        it(path, async () => {
            const value = path === "ingress.hosts" ? [{ host: hostile, path: hostile, pathType: hostile }] : hostile;
            const values = merge(exported, ...needed, at(path, value));
            const manifests = await render(values).catch((error: Error & { stderr?: string }) => {
                assert.match(error.stderr ?? error.message, /values don't meet the specifications of the schema/);
                return new Map<string, object>();
            });
            for (const [name, manifest] of manifests) {
                assert.ok(!holdsInjected(manifest) && !name.startsWith("Injected"), name);
            }
        });
    }
});

describe("documentation-site: pods", function () {
    this.timeout(120_000);

    it("get texts of the values without Kubernetes replacing $(NAME) in them", async () => {
        const text = "$(HOME)";
        const values = merge(exported, sidecars, {
            staticExport: { version: text },
            access: { oidc: { clientId: text, groupsClaim: text, scopes: ["openid", text] } },
            answer: { assistant: { endpoint: "https://models.example.com/v1", model: text, support: text } },
        });
        const { initContainers, containers } = podTemplate(await render(values)).spec;
        const given = [...initContainers, ...containers]
            .flatMap(({ args = [], env = [] }: Partial<Container> & { args?: string[] }) => [
                ...args,
                ...env.map(({ name, value }) => `${name}=${value}`),
            ])
            .filter((each) => each.includes(text));
        assert.deepEqual(
            given.filter((each) => !each.includes(`$${text}`)),
            [],
        );
        assert.deepEqual(given.map((each) => each.split("=")[0]).sort(), [
            "--assistant-model",
            "--assistant-support",
            "--client-id",
            "--oidc-groups-claim",
            "--scope",
            "HEALTHZ_JSON",
        ]);
    });
});

function merge(...parts: object[]): object {
    const merged: Record<string, unknown> = {};
    for (const part of parts) {
        for (const [key, value] of Object.entries(part)) {
            const existing = merged[key];
            const isObject = (each: unknown) => typeof each === "object" && each !== null && !Array.isArray(each);
            merged[key] = isObject(existing) && isObject(value) ? merge(existing as object, value as object) : value;
        }
    }
    return merged;
}
