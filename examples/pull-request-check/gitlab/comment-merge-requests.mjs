/**
 * Writes what the checks found as the comment of each open merge request. It may write notes, so it runs on the default
 * branch and nothing of a merge request: what a check has left is data that anybody may have written.
 * Usage: node comment-merge-requests.mjs <project> <stack>, with GITLAB_TOKEN
 */
import { Buffer } from "node:buffer";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [project, stack] = process.argv.slice(2);
const { CI_API_V4_URL: api, CI_PROJECT_ID: projectId, GITLAB_TOKEN: token } = process.env;
const largestLog = 50_000_000;

/** As a bearer, because that is not sent on where an artifact lies on another host. */
async function get(path) {
    const response = await fetch(`${api}${path}`, { headers: { authorization: `Bearer ${token}` } });
    if (response.status === 404) {
        return undefined;
    }
    if (!response.ok) {
        throw new Error(`GitLab answered ${response.status} (GET ${path}).`);
    }
    return response;
}

async function* list(path) {
    for (let page = "1"; page;) {
        const response = await get(`${path}${path.includes("?") ? "&" : "?"}per_page=100&page=${page}`);
        yield* response === undefined ? [] : await response.json();
        page = response?.headers.get("x-next-page");
    }
}

async function first(items, isWanted) {
    for await (const item of items) {
        if (isWanted(item)) {
            return item;
        }
    }
    return undefined;
}

/** The event log of the merge request's newest commit, or undefined while there is none. Forks have pipelines of their own. */
async function findEvents({ iid, sha }) {
    const pipelines = list(`/projects/${projectId}/merge_requests/${iid}/pipelines`);
    const pipeline = await first(pipelines, (each) => each.sha === sha);
    const where = `/projects/${pipeline?.project_id ?? projectId}`;
    const jobs = pipeline === undefined ? [] : list(`${where}/pipelines/${pipeline.id}/jobs`);
    const check = await first(jobs, ({ name, status }) => name === "check" && /^(success|failed)$/.test(status));
    const artifact = check && (await get(`${where}/jobs/${check.id}/artifacts/events.log`));
    const chunks = [];
    for await (const chunk of artifact?.body ?? []) {
        chunks.push(chunk);
        if (chunks.reduce((size, { length }) => size + length, 0) > largestLog) {
            throw new Error(`The event log of merge request ${iid} is larger than ${largestLog} bytes.`);
        }
    }
    return artifact && Buffer.concat(chunks);
}

const folder = mkdtempSync(join(tmpdir(), "events-"));
try {
    for await (const { iid, sha } of list(`/projects/${projectId}/merge_requests?state=opened`)) {
        const events = await findEvents({ iid, sha });
        if (events === undefined) {
            console.log(`!${iid}: no check of ${sha.slice(0, 10)} has left an event log.`);
            continue;
        }
        const file = join(folder, "events.log");
        writeFileSync(file, events);
        // Project and stack are named here, so that the events cannot point at another comment.
        const named = ["--project", project, "--stack", stack, "--commit", sha, "--pull-request", String(iid)];
        const args = ["--no", "--", "static-export", "preview-report", file, ...named, "--comment", "gitlab"];
        const { status } = spawnSync("npx", args, { stdio: ["ignore", "ignore", "inherit"] });
        // 1 says that the check objects, which the comment tells.
        if (status !== 0 && status !== 1) {
            process.exitCode = 1;
        }
    }
} finally {
    rmSync(folder, { recursive: true });
}
