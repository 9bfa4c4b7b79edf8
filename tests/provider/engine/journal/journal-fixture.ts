import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JobEntry, StartClaim } from "../../../../provider/src/engine/journal/entries.js";
import { Journal } from "../../../../provider/src/engine/journal/journal.js";
import { FakeClock } from "../../../fake-clock.js";
import { FakeMachine } from "../../support/fake-machine.js";

export const key = ["https://api.example.com", { domain: "docs.example.com", triggers: "s3cret trigger" }];

/** A journal in a separate folder, and the processes that use it. */
export class JournalFixture {
    readonly folder = join(mkdtempSync(join(tmpdir(), "static-export-journal-")), "jobs");
    readonly clock = new FakeClock();
    readonly machine = new FakeMachine();
    readonly problems: string[] = [];

    dispose(): void {
        rmSync(join(this.folder, ".."), { recursive: true, force: true });
    }

    /** Opens the journal in a new process. */
    open(host: Pick<FakeMachine, "start"> = this.machine, clock = this.clock): Journal {
        return new Journal(this.folder, {
            now: clock.now,
            elapsedMs: clock.now,
            report: (problem) => this.problems.push(problem),
            processes: host.start(),
        });
    }

    /** Changes the only start in the folder. */
    note(change: object): void {
        const [name = ""] = readdirSync(this.folder).filter((file) => file.includes(".start."));
        const start = JSON.parse(readFileSync(join(this.folder, name), "utf8")) as object;
        writeFileSync(join(this.folder, name), JSON.stringify({ ...start, ...change }));
    }

    entryNames(): string[] {
        return readdirSync(this.folder).filter((name) => /^[0-9a-f]{32}\.[0-9a-f]{32}\./.test(name));
    }
}

export async function claimIn(journal: Journal): Promise<StartClaim> {
    const claim = await journal.claim(key, "docs.example.com", await journal.lastStart(key));
    assert.ok(claim, "another run has the claim");
    return claim;
}

export async function startIn(journal: Journal, jobId = "se_1"): Promise<JobEntry> {
    const claim = await claimIn(journal);
    assert.ok(await claim.begin());
    return claim.saveJob(jobId);
}

export async function jobsIn(journal: Journal, jobKey: unknown = key): Promise<string[]> {
    return (await journal.jobs(jobKey)).map(({ jobId }) => jobId);
}
