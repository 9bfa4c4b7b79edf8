// Finds the site of a request's host, and the file of its live release. Runs in nginx (njs), once for each request.
import fs from "fs";
import settings from "settings.js";
import rules from "rules.js";

const recordFormat = 1;
/**
 * The time of this file says when the bucket last failed to answer. nginx.conf asks first whether the file exists: a
 * failed statSync would cost three times as much as everything else that a request needs.
 */
const awayFile = "/tmp/bucket-away";
const awayMs = 5000;
const llmsTxtPaths = ["/llms.txt", "/.well-known/llms.txt"];

/** Each async function and each subrequest costs as much as all the rest, so a plain page needs few of them. */
async function serve(r) {
    if (r.method !== "GET" && r.method !== "HEAD") {
        r.headersOut.Allow = "GET, HEAD";
        return r.return(405);
    }
    try {
        const text = r.variables.edge_domain === "" ? undefined : await readRecord(r);
        const site = text === undefined ? undefined : enterSite(r, text);
        if (site === undefined || !isPath(r.uri)) {
            return r.return(404);
        }
        const release = site.release;
        const redirects = release.hasRedirects === false ? "" : await readRedirects(r, release.prefix);
        const redirect = redirects === "" ? undefined : rules.findRedirect(redirects, sentPath(r), r.variables.args);
        if (redirect !== undefined) {
            return r.return(308, redirect);
        }
        r.variables.edge_record = text;
        const path = r.uri.slice(1);
        const access = release.access === undefined ? "" : await readRules(r, release, path);
        if (!sendFile(r, site, path, access, 0)) {
            await endWithoutFile(r, site, path, access);
        }
    } catch (error) {
        fail(r, error);
    }
}

/** nginx calls this if the bucket lacks a file. The record is the same, so the next file is one of the same release. */
async function next(r) {
    try {
        const site = enterSite(r, r.variables.edge_record);
        const path = r.uri.slice(1);
        const access = await readRules(r, site.release, path);
        if (!sendFile(r, site, path, access, Number(r.variables.edge_tried))) {
            await endWithoutFile(r, site, path, access);
        }
    } catch (error) {
        fail(r, error);
    }
}

/** The error affects only this site. Its message contains no content of the site. */
function fail(r, error) {
    r.error(`${r.variables.edge_domain}: ${error.message}`);
    r.return(503);
}

/** @return the live release of the site whose record this is, or undefined if the site has no live release */
function enterSite(r, text) {
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
        const limit = "or is larger than 512 KiB";
        throw new Error(`the record .static-export/site.json is not JSON, ${limit}: ${error.message}`);
    }
}

/**
 * Sends the first file of the address that the reader may read, from a number on.
 * @param access the rules for the files of the address
 * @return whether there is such a file
 */
function sendFile(r, site, path, access, from) {
    const files = candidates(path, r.variables.edge_page_type);
    for (let index = from; index < files.length; index += 1) {
        const found = isInternal(files[index]) ? { may: false } : mayRead(r, site.release, path, access, files[index]);
        if (found.may) {
            r.variables.edge_tried = `${index + 1}`;
            send(r, site.release, site.release.prefix + files[index], found.isPrivate);
            return true;
        }
    }
    return false;
}

function send(r, release, file, isPrivate) {
    r.variables.edge_private = isPrivate ? "1" : "";
    // Only known paths may become a header, because the record is not trusted.
    r.variables.edge_llms_txt = llmsTxtPaths.includes(release.llmsTxt) ? release.llmsTxt : "";
    r.variables.edge_key = address(r, file);
    r.internalRedirect("@file");
}

function mayRead(r, release, path, access, file) {
    return access === ""
        ? { may: true, isPrivate: false }
        : rules.mayRead(access, release.accessParts, path, file, readerOf(r), settings.separator);
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

/** Whether a page of an earlier release may still need a file, because its name may change with its content. */
function hasDigestInName(path) {
    return /[._-](?=[0-9a-f]*[a-f])[0-9a-f]{8,64}\.(?:css|js|mjs|wasm|woff2?|png|jpe?g|gif|svg|webp|avif|ico)$/i.test(
        path,
    );
}

function isInternal(file) {
    return `/${file}`.includes("/.static-export/");
}

/** After a switch, pages that readers opened earlier still load files of the previous release. */
async function findInPrevious(r, site, path, access) {
    if (site.previous === undefined || r.variables.edge_tried === "previous") {
        return false;
    }
    const own = mayRead(r, site.release, path, access, path);
    if (!hasDigestInName(path) || isInternal(path) || !own.may) {
        return false;
    }
    r.variables.edge_tried = "previous";
    enterRelease(r, site.previous);
    const found = await findAccess(r, site.previous, path);
    if (found.may) {
        send(r, site.release, site.previous.prefix + path, found.isPrivate || own.isPrivate);
        return true;
    }
    enterRelease(r, site.release);
    return false;
}

async function endWithoutFile(r, site, path, access) {
    const isSent = await findInPrevious(r, site, path, access);
    if (isSent) {
        return;
    }
    const release = site.release;
    const sent = sentPath(r);
    const page = `${path}/index.html`;
    if (!/(^|\/)$/.test(path) && mayRead(r, release, path, access, page).may && isForLocation(sent)) {
        r.variables.edge_key = address(r, release.prefix + page);
        // Relative links of a folder's page need the slash.
        const reply = await r.subrequest("/-edge/file", { method: "HEAD" });
        if (reply.status === 200) {
            return r.return(308, `${sent}/${query(r)}`);
        }
    }
    const map = release.hasRedirects === false ? "" : await readRedirects(r, release.prefix);
    const redirect = rules.followPattern(map, sent, r.variables.args);
    if (redirect !== undefined) {
        return r.return(308, redirect);
    }
    const withoutSlash = sent.replace(/\/+$/, "");
    if (sent !== withoutSlash && isForLocation(withoutSlash)) {
        return r.return(308, withoutSlash + query(r));
    }
    const separatesReaders = release.access !== undefined;
    r.variables.edge_private = separatesReaders ? "1" : "";
    const missing = await findAccess(r, release, "404.html");
    r.variables.edge_missing = missing.may ? address(r, `${release.prefix}404.html`) : "";
    if (!separatesReaders || readerOf(r).isSignedIn) {
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
    return mayRead(r, release, file, access, file);
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
    if (r.variables.edge_may_be_away === "1" && isAway()) {
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
        const isFresh = Date.now() - fs.statSync(awayFile).mtimeMs < awayMs;
        if (!isFresh) {
            fs.unlinkSync(awayFile);
        }
        return isFresh;
    } catch (error) {
        // Another request has removed it.
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
    if (/^[\w.~/-]*$/.test(path)) {
        return path;
    }
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
