import assert from "node:assert/strict";
import { domain } from "../support/platform.js";
import { assertRecorded, markdownOf } from "../../cli/preview/support/golden.js";
import { PreviewStack, programOf } from "./support/preview-stack.js";

describe("The preview report on the real engine", () => {
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

    it("lists a new export and the installation of its release", async () => {
        await preview.edit((resources) => resources.splice(1));
        await reports("create", programOf());
    });

    it("is a single line if nothing changes", async () => {
        await reports("nothing", programOf());
    });

    it("is a single line if only the timeout changes", async () => {
        await reports("settings", programOf({ bundle: 'version: "1", timeoutSeconds: 60' }));
    });

    it("lists the export and the rollout of another version", async () => {
        await reports("version", programOf({ bundle: 'version: "2"' }));
    });

    it("lists an export if the paths change", async () => {
        await reports("paths", programOf({ bundle: 'version: "1", paths: ["/", "/start"]' }));
    });

    it("reports that a trigger exports the same version again", async () => {
        await reports("triggers", programOf({ bundle: 'version: "1", triggers: ["2026-11-20"]' }));
    });

    it("reports that a change of the domain replaces the export", async () => {
        await reports("domain", programOf({ domain: "other.example.com" }));
    });

    it("reports that another job's bundle is adopted and no job is started", async () => {
        await reports("adopt", programOf({ bundle: 'version: "2", jobId: "se_staging"' }));
    });

    it("reports that a new export adopts a job's bundle", async () => {
        const rest = `new StaticExportBundle("more", { domain: "more.example.com", jobId: "se_staging" });`;
        await reports("adopt-create", programOf({ rest }));
    });

    it("reports the renewal of an expired link in one line", async () => {
        await preview.changeExport({ expiresAt: "2026-11-01T00:00:00.000Z" });
        await reports("renewal", programOf());
    });

    it("reports the renewal of a link before its expiry in one line", async () => {
        await preview.changeExport({ linkLifetimeSeconds: 172_800 });
        await preview.write(programOf({ bundle: 'version: "1", renewBeforeSeconds: 86400' }));
        const { log } = await preview.preview();
        assert.match(
            await markdownOf(log),
            /^✅ \*\*1 link is renewed[^\n]*its link expires at `[\d: -]+ UTC`[^\n]*\n$/,
        );
    });

    it("reports that a job is resumed if its wait was interrupted", async () => {
        await preview.changeExport({ pendingJobId: "se_pending" });
        await reports("resume", programOf());
    });

    it("reports that a new job follows a failed job", async () => {
        await preview.changeExport({}, ["jobId"]);
        await reports("failed-job", programOf());
    });

    it("reports that an export is removed from the state and its release is uninstalled", async () => {
        await reports("delete", "export const nothing = true;");
    });

    it("lists the domains whose links are renewed and the domains that are exported", async () => {
        await preview.changeExport({ expiresAt: "2026-11-01T00:00:00.000Z" });
        const rest = `new StaticExportBundle("more", { domain: "more.example.com" });`;
        await reports("renewal-beside-export", programOf({ rest }));
    });

    it("reports that changed chart values may restart pods", async () => {
        await reports("values", programOf({ values: "replicaCount: 3," }));
    });

    it("reports that a release is uninstalled first if its namespace changes", async () => {
        await reports("release-replaced", programOf().replace('namespace: "docs"', 'namespace: "other"'));
    });

    it("reports that a site is taken down if its link is removed", async () => {
        const program = programOf().replace("bundleUrl: bundle.bundleUrl, version: bundle.version", 'version: "2"');
        await reports("link-removed", program);
    });

    it("reports that a site is taken down if it is no longer enabled", async () => {
        await reports("disabled", programOf().replace("enabled: true", "enabled: false"));
    });

    it("reports another export after a refresh if the platform no longer has the job", async () => {
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
