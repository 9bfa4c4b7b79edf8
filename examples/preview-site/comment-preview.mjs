/**
 * Writes the comment that links to the preview. Finds its earlier comment by a marker, because the workflow's bot
 * writes other comments on the same pull request, such as the report of the pull request check.
 * Usage: node comment-preview.mjs <number of the pull request> <address of the preview> <address of the run>
 */
const [number, preview, run] = process.argv.slice(2);
const { GITHUB_API_URL: api, GITHUB_REPOSITORY: repository, GITHUB_TOKEN: token } = process.env;
const marker = "<!-- static-export-preview-site -->";

async function request(method, path, body) {
    const response = await fetch(`${api}/repos/${repository}/issues/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, accept: "application/vnd.github+json" },
        body: body && JSON.stringify(body),
        signal: AbortSignal.timeout(60_000),
    });
    if (!response.ok) {
        throw new Error(`GitHub answered ${response.status} (${method} ${path}).`);
    }
    return response;
}

async function findComment() {
    for (let page = 1; ; page++) {
        const response = await request("GET", `${number}/comments?per_page=100&page=${page}`);
        const comments = await response.json();
        // A person may quote the marker, so only a bot's comment counts.
        const found = comments.find(({ user, body }) => user?.type === "Bot" && body?.startsWith(marker));
        if (found !== undefined || comments.length === 0) {
            return found;
        }
    }
}

const body = `${marker}\nThe pages of this pull request: ${preview} ([what differs, with pictures](${run}))`;
const comment = await findComment();
if (comment === undefined) {
    await request("POST", `${number}/comments`, { body });
} else {
    await request("PATCH", `comments/${comment.id}`, { body });
}
