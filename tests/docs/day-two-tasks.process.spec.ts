import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ExportedSite, FolderFiles } from "@pulumi-static-export/answer";
import { run, withFolder } from "../cli/support/command.js";
import { documents, root } from "./support/documents.js";

/** The tasks after the first day: what a user types into the search, and the command or setting on the page for it. */
const tasks: Readonly<Record<string, { searches: readonly string[]; answer: RegExp }>> = {
    "a second site in a program": { searches: ["two sites", "second site"], answer: /"handbook\.example\.com"/ },
    "a rollback of a folder": { searches: ["roll back folder", "undo publish"], answer: /--to-release "\$earlier"/ },
    "another port": { searches: ["serve port", "port in use"], answer: /--port / },
    "a program in a subfolder": { searches: ["subfolder", "monorepo folder"], answer: /--cwd infrastructure/ },
    "a new plugin": { searches: ["update plugin", "upgrade generated SDK"], answer: /pulumi package add/ },
    "old branches of agents": { searches: ["delete agent branches"], answer: /push --quiet origin --delete/ },
    "a new key": { searches: ["rotate key", "replace api key"], answer: /static-export key rotate / },
    "invalid links after a leak": { searches: ["link secret", "invalidate links"], answer: /key rotate-link-secret/ },
    "a backup": { searches: ["backup", "back up data folder"], answer: /cp --archive / },
    "a restore": { searches: ["restore backup", "disaster recovery"], answer: /pg_restore / },
    "an upgrade of the service": { searches: ["upgrade service"], answer: /helm upgrade --install exports / },
    "a new site without a restart": { searches: ["add site without restart"], answer: /--sites-file sites/ },
    "removing a site": { searches: ["remove site", "delete site"], answer: /site remove \S+ --purge/ },
    "withdrawing a page": { searches: ["withdraw page"], answer: /--grace-seconds 0|graceSeconds: 0/ },
    "purging a CDN": { searches: ["purge cdn", "invalidate cache"], answer: /--purge-cloudfront|`purge`/ },
    "a full disk": { searches: ["disk full", "no space left"], answer: /--cache-disk-mb/ },
    PostgreSQL: { searches: ["postgres", "shared database"], answer: /STATIC_EXPORT_DATABASE_URL|--database/ },
    "cancelling a job": { searches: ["cancel job", "stop export"], answer: /static-export cancel / },
    "logs as JSON": { searches: ["json logs", "log format"], answer: /--log-format json/ },
    "less memory": { searches: ["memory limit", "reduce memory"], answer: /memoryMegabytes|--export-memory-mb/ },
    "an uninstallation": { searches: ["uninstall"], answer: /helm uninstall exports|pulumi destroy/ },
    "nightly exports": { searches: ["nightly export", "cron", "schedule"], answer: /once a day|schedule/ },
    "a private certificate authority": { searches: ["self-signed", "custom CA"], answer: /NODE_EXTRA_CA_CERTS/ },
    "a proxy": { searches: ["http proxy", "corporate proxy"], answer: /HTTPS_PROXY/ },
};

describe("The search of the guide", () => {
    it("finds the page for each task after the first day with at most three searches, among the first five", async () => {
        await withFolder(async (folder) => {
            const built = await run(folder, ["build", join(root, "docs"), "--output", "site"]);
            assert.equal(built.exitCode, 0, built.stderr);
            const site = await ExportedSite.open(new FolderFiles(join(folder, "site")));
            const missing: string[] = [];
            for (const [task, { searches, answer }] of Object.entries(tasks)) {
                let isFound = false;
                for (const query of searches.slice(0, 3)) {
                    const hits = await site.search({ query, max: 5 });
                    isFound ||= hits.some(({ path }) => answer.test(textOf(path)));
                }
                if (!isFound) {
                    missing.push(task);
                }
            }
            assert.deepEqual(missing, []);
        });
    });
});

/** The source of a page of the site. */
function textOf(path: string): string {
    const page = path.replace(/^\/|#.*/g, "");
    const document = documents.find((each) => each === `docs/${page}.md` || each === `docs/${page}.mdx`);
    return document === undefined ? "" : readFileSync(join(root, document), "utf8");
}
