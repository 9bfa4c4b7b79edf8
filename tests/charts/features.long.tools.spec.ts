import assert from "node:assert/strict";
import { findProgram } from "./support/fetch-pod.js";
import { LiveNginx } from "./support/live-nginx.js";
import { exported, podTemplate, refusal, render } from "./support/render-chart.js";

const nginxProgram = await findProgram("nginx");

const image = { repository: "registry.example.com/static-export", tag: "1" };
const assistant = { endpoint: "http://vllm.models.svc:8000/v1", model: "qwen3" };

/** Returns the features that pods report to pages; undefined if pages get the file from the bundle. */
async function featuresOf(values: object): Promise<unknown> {
    const configMap = (await render({ ...exported, ...values })).get("ConfigMap/docs-documentation-site");
    const { "features.js": script } = configMap?.data as Record<string, string>;
    const text = script === undefined ? "undefined" : /^window\.staticExportFeatures=(.*);\n$/.exec(script)?.[1];
    return text === "undefined" ? undefined : JSON.parse(text ?? "no script");
}

describe("documentation-site: the features of a deployment", function () {
    this.timeout(60_000);

    it("default to the features of the export", async () => {
        assert.equal(await featuresOf({}), undefined);
        assert.equal(await featuresOf({ features: { webAnalytics: null } }), undefined);
    });

    for (const feature of ["documentationSearch", "aiAssistant", "webAnalytics", "apiPlayground"]) {
        for (const isOn of [true, false]) {
            it(`report ${feature} as ${isOn ? "on" : "off"} when the values set it so`, async () => {
                assert.deepEqual(await featuresOf({ features: { [feature]: isOn } }), { [feature]: isOn });
            });
        }
    }

    it("include the servers that the pods run: MCP, and the assistant if it has an endpoint", async () => {
        const answer = { enabled: true, image };
        assert.deepEqual(await featuresOf({ answer }), { mcp: true });
        assert.deepEqual(await featuresOf({ answer: { ...answer, assistant } }), { aiAssistant: true, mcp: true });
    });

    it("are refused if they contradict the enabled servers or are invalid", async () => {
        const answer = { enabled: true, image };
        const withoutSearch = { ...exported, answer, features: { documentationSearch: false } };
        assert.match(
            await refusal(withoutSearch),
            /answer\.enabled needs features\.documentationSearch, which is false/,
        );
        const withoutAssistant = { ...exported, answer: { ...answer, assistant }, features: { aiAssistant: false } };
        assert.match(
            await refusal(withoutAssistant),
            /answer\.assistant\.endpoint needs features\.aiAssistant, which is false/,
        );
        assert.match(await refusal({ ...exported, features: { search: false } }), /features/);
        assert.match(await refusal({ ...exported, features: { webAnalytics: "some" } }), /webAnalytics/);
    });

    it("roll the pods when they change", async () => {
        const pods = async (features: object) => podTemplate(await render({ ...exported, features }));
        assert.notDeepEqual(await pods({ webAnalytics: false }), await pods({}));
    });

    describe("in a running nginx", () => {
        before(function () {
            if (!nginxProgram) {
                console.log("      skipped: there is no nginx on PATH (Debian: apt-get install nginx-light)");
                this.skip();
            }
        });

        const files = {
            "healthz.json": '{"status":"ok"}',
            "public/index.html": "home",
            "public/static-export/features.js": "of the bundle",
            "public/docs/static-export/features.js": "of the bundle below a path",
        };

        async function withNginx(features: object, use: (nginx: LiveNginx) => Promise<void>): Promise<void> {
            const configMap = (await render({ ...exported, features })).get("ConfigMap/docs-documentation-site");
            assert.ok(configMap && nginxProgram);
            const nginx = await LiveNginx.start(nginxProgram, configMap, files);
            try {
                await use(nginx);
            } finally {
                await nginx.stop();
            }
        }

        it("replace the bundle's feature file, and browsers revalidate it on each request", async () => {
            await withNginx({ webAnalytics: false }, async (nginx) => {
                for (const isDraining of [false, true]) {
                    await (isDraining ? nginx.markDraining() : undefined);
                    for (const path of ["/static-export/features.js", "/docs/static-export/features.js?x=1"]) {
                        const response = await fetch(nginx.url(path));
                        assert.equal(response.status, 200);
                        assert.match(response.headers.get("content-type") ?? "", /javascript/);
                        assert.equal(response.headers.get("cache-control"), "no-cache");
                        assert.equal(response.headers.get("connection") === "close", isDraining);
                        assert.equal(await response.text(), 'window.staticExportFeatures={"webAnalytics":false};\n');
                    }
                }
            });
        });

        it("come from the bundle's feature file if the values set no features", async () => {
            await withNginx({}, async (nginx) => {
                const response = await fetch(nginx.url("/static-export/features.js"));
                assert.equal(await response.text(), "of the bundle");
            });
        });
    });
});
