/**
 * Writes the results of the checks as one comment on each open merge request. This script's token may write notes, so
 * the script runs on the default branch and never runs a merge request's code. The output of a check is untrusted data.
 * Each merge request has its own error handling and time limit, so that one of them cannot block the others. Usage:
 * node comment-merge-requests.mjs <project> <stack>, with GITLAB_TOKEN
 */
import { Buffer } from "node:buffer";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [project, stack] = process.argv.slice(2);
const { CI_API_V4_URL: api, CI_PROJECT_ID: projectId, GITLAB_TOKEN: token } = process.env;
const maxLogBytes = 50_000_000;
const millisecondsForEach = 1000 * Number(process.env.SECONDS_FOR_EACH_MERGE_REQUEST ?? 120);

/**
 * Authenticates with a bearer token, because fetch drops the token when GitLab redirects to an artifact on another
 * host.
 */
async function get(path, signal) {
    const response = await fetch(`${api}${path}`, { headers: { authorization: `Bearer ${token}` }, signal });
    if (response.status === 404) {
        return undefined;
    }
    if (!response.ok) {
        throw new Error(`GitLab answered ${response.status} (GET ${path}).`);
    }
    return response;
}

async function* list(path, signal) {
    for (let page = "1"; page;) {
        const response = await get(`${path}${path.includes("?") ? "&" : "?"}per_page=100&page=${page}`, signal);
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

/**
 * Downloads the event log of the merge request's newest commit. Returns undefined until the log exists. A fork's
 * pipelines belong to the fork's project.
 */
async function findEvents({ iid, sha }, signal) {
    const pipelines = list(`/projects/${projectId}/merge_requests/${iid}/pipelines`, signal);
    const pipeline = await first(pipelines, (each) => each.sha === sha);
    const where = `/projects/${pipeline?.project_id ?? projectId}`;
    const jobs = pipeline === undefined ? [] : list(`${where}/pipelines/${pipeline.id}/jobs`, signal);
    const check = await first(jobs, ({ name, status }) => name === "check" && /^(success|failed)$/.test(status));
    const artifact = check && (await get(`${where}/jobs/${check.id}/artifacts/events.log`, signal));
    const chunks = [];
    let bytes = 0;
    for await (const chunk of artifact?.body ?? []) {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > maxLogBytes) {
            throw new Error(`The event log is larger than ${maxLogBytes} bytes.`);
        }
    }
    return artifact && Buffer.concat(chunks);
}

/** Runs the command in its own process group, and kills the whole group when the time is up. */
async function writeComment({ iid, sha }, file, signal) {
    // Names the project and the stack explicitly, so that the events cannot select another comment.
    const named = ["--project", project, "--stack", stack, "--commit", sha, "--pull-request", String(iid)];
    const args = ["--no", "--", "static-export", "preview-report", file, ...named, "--comment", "gitlab"];
    const child = spawn("npx", args, { stdio: ["ignore", "ignore", "inherit"], detached: true });
    const end = () => child.pid !== undefined && process.kill(-child.pid, "SIGKILL");
    signal.addEventListener("abort", end);
    const [status] = await once(child, "close");
    signal.removeEventListener("abort", end);
    signal.throwIfAborted();
    // Status 1 means that the check failed, which the comment explains.
    if (status !== 0 && status !== 1) {
        throw new Error(`static-export preview-report ended with ${status}.`);
    }
}

async function comment(request, folder) {
    const signal = AbortSignal.timeout(millisecondsForEach);
    const events = await findEvents(request, signal);
    if (events === undefined) {
        console.log(`!${request.iid}: no check of ${request.sha.slice(0, 10)} has uploaded an event log.`);
        return;
    }
    const file = join(folder, "events.log");
    writeFileSync(file, events);
    await writeComment(request, file, signal);
}

const folder = mkdtempSync(join(tmpdir(), "events-"));
try {
    for await (const request of list(`/projects/${projectId}/merge_requests?state=opened`)) {
        try {
            await comment(request, folder);
        } catch (error) {
            console.error(`!${request.iid}: no comment. ${error.message}`);
            process.exitCode = 1;
        }
    }
} finally {
    rmSync(folder, { recursive: true });
}
