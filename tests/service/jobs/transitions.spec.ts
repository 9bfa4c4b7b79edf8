import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { agentJobs, agentPrompts, changeStatus, siteJobs } from "../../../service/src/jobs/transitions.js";

const source = new URL("../../../service/src/", import.meta.url).pathname;

/** Statements that create or remove jobs, or assign their status. */
const writers = [
    /\b(?:INSERT INTO|DELETE FROM)\s+(?:static_export_jobs|agent_jobs|agent_prompts)\b/i,
    /\bUPDATE\s+(?:static_export_jobs|agent_jobs|agent_prompts|\$\{[^}]*\})\s+SET\b(?:(?!\bWHERE\b)[^`"])*?\b(?:status|state)\s*=(?!=)/i,
];

function filesThatWrite(texts: readonly (readonly [file: string, text: string])[]): string[] {
    return texts.filter(([, text]) => writers.some((writer) => writer.test(text))).map(([file]) => file);
}

describe("The status of a job", () => {
    it("is written by one module only", () => {
        const texts = readdirSync(source, { recursive: true, withFileTypes: true })
            .filter((entry) => entry.isFile())
            .map((entry) => join(entry.parentPath, entry.name))
            .map((path) => [relative(source, path), readFileSync(path, "utf8")] as const);
        assert.ok(texts.length > 100);
        assert.deepEqual(filesThatWrite(texts), []);
    });

    it("would be found in another file, in each form of SQL that the service uses", () => {
        const found = [
            "`UPDATE static_export_jobs SET starts = 0,\n status = 'queued' WHERE job_id = :jobId`",
            "\"UPDATE agent_prompts SET state = 'done' WHERE job_id = :id\"",
            "`UPDATE ${name} SET ${assignments}, status = 'failed' WHERE ${held}`",
            '"DELETE FROM agent_jobs WHERE id = :id"',
            "`INSERT INTO static_export_jobs (job_id) VALUES (:jobId)`",
        ];
        const allowed = "`UPDATE static_export_jobs SET linked_at = :now WHERE status = 'completed'`";
        assert.deepEqual(filesThatWrite([...found, allowed].map((text) => [text, text])), found);
    });

    it("changes only from the statuses that its transition names, also after a wait for another change of its row", () => {
        for (const table of [siteJobs, agentJobs, agentPrompts]) {
            for (const [name, { from = [] }] of Object.entries(table.transitions)) {
                if (from.length > 0) {
                    const statement = changeStatus<string>(table, name, { where: "sequence = (SELECT 1)" });
                    const outermost = statement.slice(statement.lastIndexOf(" WHERE " + table.status));
                    from.forEach((status) => assert.ok(outermost.includes(`'${status}'`), statement));
                }
            }
        }
    });
});
