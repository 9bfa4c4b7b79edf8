import assert from "node:assert/strict";
import { domain } from "../support/platform.js";
import { assertRecorded, markdownOf } from "../../cli/preview/support/golden.js";
import { PreviewStack, programOf } from "./support/preview-stack.js";

describe("The report of a preview on the real engine says", () => {
    let preview: PreviewStack;

    before(async () => {
        preview = await PreviewStack.create();
    });
    beforeEach(() => preview.reset());
    after(() => preview.remove());

    async function reports(name: string, program: string, ...args: string[]): Promise<void> {
        await preview.write(program);
        const { exitCode, log, output } = await preview.preview(...args);
        assert.equal(exitCode, 0, output);
        assert.deepEqual(preview.platform.requests, []);
        await assertRecorded(name, log);
    }

    it("that an export is new and its release is installed", async () => {
        await preview.edit((resources) => resources.splice(1));
        await reports("create", programOf());
    });

    it("only one line when nothing changes", async () => {
        await reports("nothing", programOf());
    });

    it("only one line when only the wait changes", async () => {
        await reports("settings", programOf({ bundle: 'version: "1", timeoutSeconds: 60' }));
    });

    it("that another version is exported and rolls out", async () => {
        await reports("version", programOf({ bundle: 'version: "2"' }));
    });

    it("that other paths are exported", async () => {
        await reports("paths", programOf({ bundle: 'version: "1", paths: ["/", "/start"]' }));
    });

    it("that a trigger exports the same version again", async () => {
        await reports("triggers", programOf({ bundle: 'version: "1", triggers: ["2026-11-20"]' }));
    });

    it("that another domain replaces the export", async () => {
        await reports("domain", programOf({ domain: "other.example.com" }));
    });

    it("that the bundle of another job is adopted, and none is started", async () => {
        await reports("adopt", programOf({ bundle: 'version: "2", jobId: "se_staging"' }));
    });

    it("that a new export adopts the bundle of a job", async () => {
        const rest = `new StaticExportBundle("more", { domain: "more.example.com", jobId: "se_staging" });`;
        await reports("adopt-create", programOf({ rest }));
    });

    it("in one line that an expired link is renewed", async () => {
        await preview.changeExport({ expiresAt: "2026-11-01T00:00:00.000Z" });
        await reports("renewal", programOf());
    });

    it("in one line that a link is renewed before it expires", async () => {
        await preview.changeExport({ linkLifetimeSeconds: 172_800 });
        await preview.write(programOf({ bundle: 'version: "1", renewBeforeSeconds: 86400' }));
        const { log } = await preview.preview();
        assert.match(
            await markdownOf(log),
            /^✅ \*\*1 link is renewed[^\n]*its link expires at `[\d: -]+ UTC`[^\n]*\n$/,
        );
    });

    it("that a job whose wait was interrupted is resumed", async () => {
        await preview.changeExport({ pendingJobId: "se_pending" });
        await reports("resume", programOf());
    });

    it("that a failed job is followed by another one", async () => {
        await preview.changeExport({}, ["jobId"]);
        await reports("failed-job", programOf());
    });

    it("that an export is forgotten and its release uninstalled", async () => {
        await reports("delete", "export const nothing = true;");
    });

    it("which domains are renewed and which are exported", async () => {
        await preview.changeExport({ expiresAt: "2026-11-01T00:00:00.000Z" });
        const rest = `new StaticExportBundle("more", { domain: "more.example.com" });`;
        await reports("renewal-beside-export", programOf({ rest }));
    });

    it("that other values of the chart may roll pods", async () => {
        await reports("values", programOf({ values: "replicaCount: 3," }));
    });

    it("that a release in another namespace is uninstalled first", async () => {
        await reports("release-replaced", programOf().replace('namespace: "docs"', 'namespace: "other"'));
    });

    it("that a site is taken down if its link is removed", async () => {
        const program = programOf().replace("bundleUrl: bundle.bundleUrl, version: bundle.version", 'version: "2"');
        await reports("link-removed", program);
    });

    it("that a site is taken down if it is no longer enabled", async () => {
        await reports("disabled", programOf().replace("enabled: true", "enabled: false"));
    });

    it("that an export is repeated after a refresh if the platform no longer has its job", async () => {
        const { service, requests } = preview.platform;
        await preview.edit((resources) => resources.splice(3));
        await preview.write(`new StaticExportBundle("docs", { domain: "${domain}", version: "1" });`);
        await preview.preview("--refresh").then(({ log }) => assertRecorded("refresh", log));
        service.setFaults(["get:vanish"]);
        await preview.preview("--refresh").then(({ log }) => assertRecorded("refresh-gone", log));
        service.setFaults([]);
        requests.length = 0;
    });
});
