let redirects = [];
let readAt = 0;

async function readRedirects({ SITE, PREFIX }) {
    if (Date.now() - readAt > 60_000) {
        const text = (await (await SITE.get(`${PREFIX}static-export/redirects.map`))?.text()) ?? "";
        // "/old" "/new"; or "~^/v1/(?<p1>.*)$" "/v2/${p1}";
        redirects = text.split("\n").flatMap((line) => {
            const [, from, to] = /^"(.+)" "(.+)";$/.exec(line) ?? [];
            return from === undefined ? [] : [{ from, to, pattern: from[0] === "~" && new RegExp(from.slice(1)) }];
        });
        readAt = Date.now();
    }
    return redirects;
}

async function findRedirect(pathname, env) {
    const all = await readRedirects(env);
    const plain = all.find(({ from }) => from === pathname);
    const { pattern, to } = plain ?? all.find(({ pattern }) => pattern && pattern.test(pathname)) ?? {};
    return pattern ? to.replace(/\$\{(\w+)\}/g, (_, name) => pattern.exec(pathname).groups[name]) : to;
}

function answer(object, status) {
    const headers = new Headers({ etag: object.httpEtag });
    object.writeHttpMetadata(headers);
    return new Response(object.body, { status: object.body === undefined ? 304 : status, headers });
}

// None for the site's records, and for an address that is not encoded correctly.
function keysOf(pathname) {
    let path;
    try {
        path = decodeURIComponent(pathname.slice(1));
    } catch {
        return [];
    }
    if (path.split("/").includes(".static-export")) {
        return [];
    }
    return path === "" || path.endsWith("/") ? [`${path}index.html`] : [path, `${path}.html`];
}

export default {
    async fetch(request, env) {
        const { pathname, search } = new URL(request.url);
        const to = await findRedirect(pathname, env);
        // Not //host, which an address could ask for.
        if (to !== undefined && /^(\/[^/]|https?:\/\/)/.test(to)) {
            // A destination without a query gets the query of the request.
            return Response.redirect(new URL(/[?#]/.test(to) ? to : to + search, request.url), 308);
        }
        for (const key of keysOf(pathname)) {
            const object = await env.SITE.get(env.PREFIX + key, { onlyIf: request.headers });
            if (object !== null) {
                return answer(object, 200);
            }
        }
        const missing = await env.SITE.get(`${env.PREFIX}404.html`);
        return missing === null ? new Response("Not found", { status: 404 }) : answer(missing, 404);
    },
};
