import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type LogFields, type RequestLogEntry } from "@pulumi-static-export/service";
import { createServiceLog } from "../../cli/src/serve/service-log.js";
import { describeStorage } from "../../cli/src/serve/service-settings.js";
import { root } from "./support/documents.js";

/** The compiler requires every field here that lines can have. */
const fields: Required<LogFields> = {
    ...{ job: "se_42", domain: "docs.example.com", request: "r1", key: "team", keyId: "k1", address: "::1" },
    ...{ audit: "created a key", sourceRef: "4f2a" },
};
const request: Required<RequestLogEntry> = {
    ...{ id: "r1", operation: "start", method: "POST", path: "/", status: 400, address: "::1", key: "team" },
    ...{ keyId: "k1", error: "no domain", durationMs: 1.5 },
};

/** Returns what a log writes to standard output. */
function linesOf(write: () => void): Record<string, unknown>[] {
    const { log } = console;
    const lines: string[] = [];
    console.log = (line: string) => void lines.push(line);
    try {
        write();
    } finally {
        console.log = log;
    }
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe("The guide's table of the fields of JSON logs", () => {
    it("contains every field that a line can have, and no other", () => {
        const page = readFileSync(join(root, "docs/guides/metrics.md"), "utf8");
        const [, section = ""] = page.split("\n## Logs\n");
        const [, table = ""] = /\| --- .*\n((?:\|.*\n)+)/.exec(section) ?? [];
        const rows = table.trim().split("\n");
        const listed = rows.flatMap((row) => row.split("|")[1]?.match(/\w+(?=`)/g) ?? []);
        const log = createServiceLog("json");
        const written = linesOf(() => {
            log.info("Export job se_42 started.", fields);
            log.request(request);
            log.started("Admin service", [["address", "http://127.0.0.1:8787"]]);
        }).flatMap((line) => Object.keys(line));
        assert.deepEqual(listed.sort(), [...new Set(written)].sort());
    });

    it("says what `started` contains, also of a worker", () => {
        const stores = { dataDir: "/var/lib/static-export", bucketUrl: "s3://docs-bundles/exports" };
        const startedOf = (given: Parameters<typeof describeStorage>[0]) =>
            linesOf(() => createServiceLog("json").started("Worker", describeStorage(given)))[0]?.["started"];
        assert.deepEqual(startedOf(stores), {
            data: "in /var/lib/static-export",
            bundles: "in s3://docs-bundles/exports",
        });
        assert.deepEqual(startedOf({ ...stores, bucketUrl: undefined }), { data: "in /var/lib/static-export" });
    });
});
