// Finds the site of a request's host, and the file of its live release. Runs in nginx (njs), once for each request.
import fs from "fs";
import settings from "settings.js";
import rules from "rules.js";

const recordFormat = 1;
/** The time of this file says when the bucket last failed to answer. */
const awayFile = "/tmp/bucket-away";
const awayMs = 5000;
const llmsTxtPaths = ["/llms.txt", "/.well-known/llms.txt"];

async function serve(r) {
    if (r.method !== "GET" && r.method !== "HEAD") {
        r.headersOut.Allow = "GET, HEAD";
        return r.return(405);
    }
    try {
        const site = await findSite(r);
        if (site === undefined || !isPath(r.uri)) {
            return r.return(404);
        }
        await findPage(r, site);
    } catch (error) {
        // The error affects only this site. Its message contains no content of the site.
        r.error(`${r.variables.edge_domain}: ${error.message}`);
        r.return(503);
    }
}

/** @return the live release of the host's site, or undefined if the host has no site */
async function findSite(r) {
    const domain = r.variables.host;
    if (
        domain.length > 253 ||
        !/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/.test(domain)
    ) {
        return undefined;
    }
    r.variables.edge_domain = domain;
    const text = await readRecord(r);
    if (text === undefined) {
        return undefined;
    }
    const record = parseRecord(text);
    if (record.formatVersion === recordFormat && record.live === undefined) {
        return undefined;
    }
    if (record.formatVersion !== recordFormat) {
        throw new Error("the record .static-export/site.json is not of the form that this chart reads");
    }
    enterRelease(r, record.live);
    const previous = Array.isArray(record.earlier) ? record.earlier[0] : undefined;
    return { release: record.live, previous: previous && previous.prefix ? previous : undefined };
}

/** Selects the release from which the rest of the request reads files. */
function enterRelease(r, release) {
    if (!/^[0-9a-f]{64}$/.test(release.files)) {
        throw new Error("the record .static-export/site.json is not of the form that this chart reads");
    }
    if (release.prefix === undefined) {
        throw new Error('files that are replaced one by one are not served: publish with switching "releases"');
    }
    const file = `${release.prefix}.static-export/access.json`;
    const isOwn = release.access === undefined || release.access === file;
    const parts = release.accessParts;
    const isCount = parts === undefined || (Number.isInteger(parts) && parts > 0 && parts <= 1024);
    if (!/^releases\/[0-9a-f]{16}\/$/.test(release.prefix) || !isOwn || !isCount) {
        throw new Error("the record .static-export/site.json names files outside of its release");
    }
    // The cache key contains the digest of the list of files, so that no file of another release is read from the
    // cache.
    r.variables.edge_release = `${r.variables.edge_domain}/${release.files}`;
}

/** @return the rules for the files of an address: the text of access.json or a part of it, or "" if it has no rules */
async function readRules(r, release, path) {
    if (release.access === undefined) {
        return "";
    }
    const parts = release.accessParts;
    const part = parts === undefined ? ".json" : `/${rules.partOf(path, parts)}.json`;
    const access = await read(r, "rules", `${release.prefix}.static-export/access${part}`);
    if (access === undefined) {
        throw new Error("access.json, which says who may read what, is missing");
    }
    rules.assertForm(access);
    return access;
}

function parseRecord(text) {
    try {
        return Object(JSON.parse(text));
    } catch (error) {
        const limit = "or is larger than limits.recordKiB";
        throw new Error(`the record .static-export/site.json is not JSON, ${limit}: ${error.message}`);
    }
}

async function findPage(r, site) {
    const prefix = site.release.prefix;
    const hasRedirects = site.release.hasRedirects !== false;
    const map = hasRedirects ? await readRedirects(r, prefix) : "";
    const redirect = rules.findRedirect(map, sentPath(r), r.variables.args);
    if (redirect !== undefined) {
        return r.return(308, redirect);
    }
    const path = r.uri.slice(1);
    const reader = readerOf(r);
    const access = await readRules(r, site.release, path);
    const parts = site.release.accessParts;
    const open = (file) => rules.mayRead(access, parts, path, file, reader, settings.separator);
    const files = candidates(path, r.variables.edge_page_type).filter((file) => !isInternal(file) && open(file).may);
    const state = {
        prefix: prefix,
        release: r.variables.edge_release,
        previous: hasDigestInName(path) && !isInternal(path) && open(path).may ? site.previous : undefined,
        isPrivate: open(path).isPrivate,
        hasRedirects: hasRedirects,
        // Only known paths may become a header, because the record is not trusted.
        llmsTxt: llmsTxtPaths.includes(site.release.llmsTxt) ? site.release.llmsTxt : "",
        files: files.map((file) => [file, open(file).isPrivate]),
        folder: /(^|\/)$/.test(path) || !open(`${path}/index.html`).may ? "" : `${path}/index.html`,
        separatesReaders: site.release.access !== undefined,
        asksForSignIn: site.release.access !== undefined && !reader.isSignedIn,
        rules: { prefix: prefix, access: site.release.access, accessParts: parts },
        // undefined: the rules for this page are in another part, which is read if the page is needed.
        missing: parts === undefined ? open("404.html").may : undefined,
    };
    return tryNext(r, state);
}

/**
 * Returns the possible files of an address, the likeliest first, because each missing file costs a request to the
 * bucket.
 */
function candidates(path, type) {
    const asPage = (page) => (type === ".md" ? [`${page}.md`, `${page}.html`] : [`${page}.html`]);
    if (path === "" || path.endsWith("/")) {
        return asPage(`${path}index`);
    }
    const hasExtension = path.slice(path.lastIndexOf("/") + 1).includes(".");
    return hasExtension ? [path].concat(asPage(path)) : asPage(path).concat([path]);
}

/** Uses the same pattern as nginx.immutablePattern of the chart documentation-site. */
function hasDigestInName(path) {
    return /[._-](?=[0-9a-f]*[a-f])[0-9a-f]{8,64}\.(?:css|js|mjs|wasm|woff2?|png|jpe?g|gif|svg|webp|avif|ico)$/i.test(
        path,
    );
}

function isInternal(file) {
    return `/${file}`.includes("/.static-export/");
}

/** nginx calls this if the bucket lacks a file. */
async function next(r) {
    try {
        await tryNext(r, JSON.parse(r.variables.edge_state));
    } catch (error) {
        r.error(`${r.variables.edge_domain}: ${error.message}`);
        r.return(503);
    }
}

async function tryNext(r, state) {
    const file = state.files.shift() || (await findInPrevious(r, state));
    if (file === undefined) {
        return endWithoutFile(r, state);
    }
    r.variables.edge_state = JSON.stringify(state);
    r.variables.edge_private = file[1] ? "1" : "";
    r.variables.edge_llms_txt = state.llmsTxt;
    r.variables.edge_key = address(r, (file[2] || state.prefix) + file[0]);
    r.internalRedirect("@file");
}

/** After a switch, pages that readers opened earlier still load files of the previous release. */
async function findInPrevious(r, state) {
    const previous = state.previous;
    if (previous === undefined) {
        return undefined;
    }
    state.previous = undefined;
    const path = r.uri.slice(1);
    enterRelease(r, previous);
    const found = await findAccess(r, previous, path);
    return found.may ? [path, found.isPrivate || state.isPrivate, previous.prefix] : undefined;
}

async function endWithoutFile(r, state) {
    const sent = sentPath(r);
    r.variables.edge_release = state.release;
    if (state.folder !== "" && isForLocation(sent)) {
        r.variables.edge_key = address(r, state.prefix + state.folder);
        // Relative links of a folder's page need the slash.
        const reply = await r.subrequest("/-edge/file", { method: "HEAD" });
        if (reply.status === 200) {
            return r.return(308, `${sent}/${query(r)}`);
        }
    }
    const map = state.hasRedirects ? await readRedirects(r, state.prefix) : "";
    const redirect = rules.followPattern(map, sent, r.variables.args);
    if (redirect !== undefined) {
        return r.return(308, redirect);
    }
    const withoutSlash = sent.replace(/\/+$/, "");
    if (sent !== withoutSlash && isForLocation(withoutSlash)) {
        return r.return(308, withoutSlash + query(r));
    }
    r.variables.edge_private = state.separatesReaders ? "1" : "";
    const missing = state.missing === undefined ? await findAccess(r, state.rules, "404.html") : { may: state.missing };
    r.variables.edge_missing = missing.may ? address(r, `${state.prefix}404.html`) : "";
    if (!state.asksForSignIn) {
        return r.return(404);
    }
    // Readers who are not signed in get the same response for every address, so that it does not reveal whether a page
    // exists.
    if (settings.signInUrl !== "" && /text\/html/.test(r.headersIn.Accept || "")) {
        const returned = /^\/(?!\/)(?:[A-Za-z0-9._~!@:/-]|%20|%[89A-Fa-f][0-9A-Fa-f])*$/.test(sent) ? sent : "/";
        return r.return(
            302,
            settings.signInUrl.replace("{path}", () => returned),
        );
    }
    return r.return(401);
}

/** Whether the reader may read a file of a release, by the rules for the file's own address. */
async function findAccess(r, release, file) {
    const access = await readRules(r, release, file);
    return rules.mayRead(access, release.accessParts, file, file, readerOf(r), settings.separator);
}

/** Rejects "//host", "/\host" and line breaks. */
function isForLocation(path) {
    return /^\/[^/?#\\\s][^?#\s]*$/.test(path);
}

function query(r) {
    return r.variables.args ? `?${r.variables.args}` : "";
}

/** The path as it was sent, because the decoded path may contain line breaks. */
function sentPath(r) {
    return r.variables.request_uri.replace(/[?#][\s\S]*$/, "");
}

/**
 * nginx has resolved "." and "..": a path with any left, an empty segment, a backslash or a control character is
 * invalid.
 */
function isPath(uri) {
    // oxlint-disable-next-line no-control-regex
    return !/[\x00-\x1f\x7f\\]/.test(uri) && !/\/\.{0,2}\/./.test(uri) && !/\/\.{1,2}$/.test(uri);
}

/**
 * Reads the site's record. If the bucket has just failed to answer in time, the requests of the next seconds use the
 * records that this pod knows, so that only the first of them waits. A pod that does not know the record waits longer.
 */
async function readRecord(r) {
    const file = ".static-export/site.json";
    r.variables.edge_key = address(r, file);
    if (isAway()) {
        const known = await r.subrequest("/-edge/known-record");
        return textOf(known, file);
    }
    const reply = await r.subrequest("/-edge/record");
    if (!/50[24]/.test(reply.variables.upstream_status || "")) {
        return textOf(reply, file);
    }
    r.error(`the bucket does not answer within a second: known records are served for ${awayMs / 1000} seconds`);
    fs.writeFileSync(awayFile, "");
    const isKnown = isSuccess(reply) || reply.status === 404;
    const record = isKnown ? reply : await r.subrequest("/-edge/first-record");
    return textOf(record, file);
}

function isAway() {
    try {
        return Date.now() - fs.statSync(awayFile).mtimeMs < awayMs;
    } catch (error) {
        if (error.code !== "ENOENT") {
            throw error;
        }
        return false;
    }
}

/** @return the text of a small file of the site, or undefined if there is none */
async function read(r, kind, file) {
    r.variables.edge_key = address(r, file);
    const reply = await r.subrequest(`/-edge/${kind}`);
    return textOf(reply, file);
}

function textOf(reply, file) {
    if (reply.status === 404) {
        return undefined;
    }
    if (!isSuccess(reply)) {
        throw new Error(`the bucket answers ${reply.status} for ${file}`);
    }
    return reply.responseText;
}

/** The pages at the old addresses redirect, too, so reading only a part of the map is not an error. */
async function readRedirects(r, prefix) {
    r.variables.edge_key = address(r, `${prefix}static-export/redirects.map`);
    const reply = await r.subrequest("/-edge/redirects");
    return isSuccess(reply) ? reply.responseText : "";
}

/** Reads at most as many bytes as the limits allow, with a range request. */
function isSuccess(reply) {
    return reply.status === 200 || reply.status === 206;
}

/** The address of a file of the site below the endpoint, encoded as signatures require. */
function address(r, file) {
    return settings.base + encodePath(`${settings.prefix}${r.variables.edge_domain}/${file}`);
}

function encodePath(path) {
    const encoded = path.split("/").map(encodeURIComponent).join("/");
    return encoded.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

function readerOf(r) {
    if (settings.groupsVariable === "") {
        return { isSignedIn: false, groups: [] };
    }
    const sent = r.variables[settings.groupsVariable] || "";
    // nginx joins headers of the same name with ", ". A repeated header is ignored, because one of its values may come
    // from the visitor.
    const groups = sent.includes(", ") && !settings.separator.includes(", ") ? "" : sent;
    const user = settings.userVariable === "" ? "" : r.variables[settings.userVariable] || "";
    return { isSignedIn: groups + user !== "", groups: groups.split(settings.separator) };
}

export default { serve, next };
