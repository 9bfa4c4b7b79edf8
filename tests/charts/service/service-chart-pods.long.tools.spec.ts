import assert from "node:assert/strict";
import { podsOf, renderService, required, serviceName as name } from "../support/service-pods.js";

const agents = { projects: { docs: "https://git.example.com/acme/docs#main" }, command: ["/usr/bin/claude"] };

describe("static-export-service: pod scheduling and settings", function () {
    this.timeout(120_000);

    it("apply to all pods, unless a component overrides them", async () => {
        const settings = {
            nodeSelector: { pool: "usual" },
            tolerations: [{ key: "usual", operator: "Exists" }],
            priorityClassName: "usual",
        };
        const own = { nodeSelector: { pool: "large" }, priorityClassName: "low" };
        const pods = podsOf(await renderService({ ...required, agents, ...settings, worker: own }));
        for (const [pod, { nodeSelector, tolerations, priorityClassName }] of pods) {
            const expected = pod === `${name}-worker` ? { ...settings, ...own } : settings;
            assert.deepEqual({ nodeSelector, tolerations, priorityClassName }, expected, pod);
        }
        assert.equal(pods.size, 4);
    });

    it("include DNS settings and host aliases for all pods", async () => {
        const settings = {
            dnsConfig: { options: [{ name: "ndots", value: "1" }] },
            hostAliases: [{ ip: "192.0.2.1", hostnames: ["git.example.com"] }],
        };
        for (const [pod, { dnsConfig, hostAliases }] of podsOf(
            await renderService({ ...required, agents, ...settings }),
        )) {
            assert.deepEqual({ dnsConfig, hostAliases }, settings, pod);
        }
    });

    it("add a component's extra containers only to its own pods", async () => {
        const proxy = { name: "proxy", image: "registry.example.com/proxy:1" };
        const wait = { name: "wait", image: "registry.example.com/wait:1" };
        const api = { extraContainers: [proxy], initContainers: [wait] };
        const pods = podsOf(await renderService({ ...required, api }));
        assert.deepEqual(pods.get(`${name}-api`)?.containers[1], proxy);
        assert.deepEqual(pods.get(`${name}-api`)?.initContainers, [wait]);
        assert.equal(pods.get(`${name}-worker`)?.containers.length, 1);
    });

    it("take every image from the registry that a parent chart sets", async () => {
        const own = { ...agents, image: { repository: "acme/agents", tag: "2" } };
        const global = { imageRegistry: "registry.example.com" };
        const image = { repository: "acme/static-export", tag: "1" };
        for (const [pod, { containers }] of podsOf(await renderService({ ...required, image, agents: own, global }))) {
            const expected = pod === `${name}-agent-worker` ? "acme/agents:2" : "acme/static-export:1";
            assert.equal(containers[0]?.image, `registry.example.com/${expected}`, pod);
        }
    });
});

describe("static-export-service: the rendered objects", function () {
    this.timeout(120_000);

    it("have the configured names and labels", async () => {
        const named = await renderService({ ...required, fullnameOverride: "admin", commonLabels: { team: "docs" } });
        assert.deepEqual([...named.keys()].sort(), [
            "ConfigMap/admin-sites",
            "Deployment/admin-api",
            "Deployment/admin-worker",
            "Job/admin-migrate",
            "PodDisruptionBudget/admin-api",
            "Service/admin-api",
            "ServiceAccount/admin",
        ]);
        for (const [key, { metadata }] of named) {
            assert.equal(metadata.labels?.["team"], "docs", key);
        }
    });

    it("include extra objects, in which templates are evaluated", async () => {
        const extraObjects = [
            { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "{{ .Release.Name }}-notes" }, data: { a: "1" } },
        ];
        const usual = await renderService(required);
        const more = [...(await renderService({ ...required, extraObjects })).keys()].filter((key) => !usual.has(key));
        assert.deepEqual(more.length, 1);
        assert.match(String(more[0]), /^ConfigMap\/\S+-notes$/);
    });

    it("have the same selectors when labels are added", async () => {
        const selectorOf = async (values: object) =>
            (await renderService(values)).get(`Deployment/${name}-api`)?.["spec"] as { selector: object };
        const { selector } = await selectorOf({ ...required, commonLabels: { team: "docs" } });
        assert.deepEqual(selector, (await selectorOf(required)).selector);
    });
});
