// Reads two files of a release: access.json and redirects.map. Exporters write one entry per line, so that an entry is
// found without parsing the whole file. A page is unavailable if its access.json entry is malformed; malformed
// redirects are ignored.
import crypto from "crypto";

const rulesStart = '{\n  "formatVersion": 1,\n  "files": {';

/**
 * Requires exactly one entry on each line. Any other text might open a file to everybody, because an entry is found by
 * the start of its line.
 *
 * @param rules the text of access.json
 */
function assertForm(rules) {
    const isFramed = rules.startsWith(rulesStart) && /\}\n\}\n?$/.test(rules.slice(-4)) && !rules.includes("\\");
    const isOfEntries = rules.split('": [').length === rules.split('\n    "').length;
    if (!isFramed || !isOfEntries || /\n {4}"[^"]*"(?!: \[)/.test(rules)) {
        throw new Error("access.json, which says who may read what, is not of the form that exporters write");
    }
}

/** The part of a split access.json with the files of an address, as the package's publisher writes it. */
function partOf(path, parts) {
    const digest = crypto.createHash("sha256").update(addressKey(path)).digest("hex");
    return parseInt(digest.slice(0, 8), 16) % parts;
}

/** The same for all files that may be served at one address, such as "guide", "guide.md" and "guide/index.html". */
function addressKey(path) {
    for (;;) {
        const endings = ["/", ".html", ".md", path === "index" ? "index" : "/index"];
        const ending = endings.find((each) => path.endsWith(each));
        if (ending === undefined) {
            return path;
        }
        path = path.slice(0, -ending.length);
    }
}

/**
 * @param rules the text of access.json, or of its part with the files of an address, or "" if it has no rules
 * @param parts the number of parts, or undefined
 * @return whether the reader may read a file, and whether others may not
 */
function mayRead(rules, parts, path, file, reader, separator) {
    if (parts !== undefined && addressKey(file) !== addressKey(path)) {
        // The rules of this file are in another part.
        throw new Error(`the file ${file} does not belong to the address ${path}`);
    }
    const start = rules.indexOf(`\n    "${file}": `);
    if (start === -1) {
        return { may: true, isPrivate: false };
    }
    const end = rules.indexOf("\n", start + 1);
    const entry = /^\n {4}"[^"]+": (\[(?:"[^"]+"(?:, "[^"]+")*)?\]),?$/.exec(rules.slice(start, end));
    if (entry === null || rules.indexOf(`\n    "${file}": `, end) !== -1) {
        throw new Error(
            "access.json, which says who may read what, contains an entry that is not of the form that exporters write",
        );
    }
    const groups = JSON.parse(entry[1]);
    const isMember = groups.some((group) => !group.includes(separator) && reader.groups.includes(group));
    return { may: reader.isSignedIn && (groups.length === 0 || isMember), isPrivate: true };
}

/** @return the target of the address in a plain line of the map: "/old" "/new"; */
function findRedirect(map, path, args) {
    if (map === "" || /["\s]/.test(path) || path === "") {
        return undefined;
    }
    const text = `\n${map}`;
    const start = text.indexOf(`\n"${path}" "`);
    if (start === -1) {
        return undefined;
    }
    const from = start + path.length + 5;
    const end = text.indexOf('";', from);
    return end === -1 ? undefined : destination(text.slice(from, end), args);
}

const maxPatterns = 500;

/** @return the target of the address by a pattern of the map: "~^/old/(?<p1>.*)$" "/new/${p1}"; */
function followPattern(map, path, args) {
    let start = map.indexOf('"~^/');
    for (let count = 0; start !== -1 && count < maxPatterns; count += 1) {
        const end = map.indexOf("\n", start);
        const line = map.slice(start, end === -1 ? map.length : end);
        const found = line.length > 2000 || !beginsLike(line, path) ? undefined : matchPattern(line, path);
        if (found !== undefined) {
            return destination(found, args);
        }
        start = end === -1 ? -1 : map.indexOf('"~^/', end);
    }
    return undefined;
}

/** Whether the path begins with the plain text of a pattern before its first special character: the quickest test. */
function beginsLike(line, path) {
    let end = 3;
    while (end < line.length && !'\\([{^$*+?|"'.includes(line[end])) {
        end += 1;
    }
    return path.startsWith(line.slice(3, end));
}

/** Compares part by part, because a site's regular expression could block all sites. */
function matchPattern(line, path) {
    const sides = /^"~\^(\/[^"]*)\$" "([^"\s]+)";$/.exec(line);
    if (sides === null) {
        return undefined;
    }
    const parts = sides[1]
        .replace(/>\[\^\/\]\+\)/g, ">segment)")
        .replace(/>\.\*\)/g, ">rest)")
        .split("/")
        .slice(1);
    const sent = path.split("/").slice(1);
    const wide = parts.findIndex((part) => /^\(\?<p\d+>rest\)$/.test(part));
    const captures = {};
    if (wide === -1 ? parts.length !== sent.length : sent.length < parts.length) {
        return undefined;
    }
    const surplus = sent.length - parts.length;
    for (let i = 0; i < parts.length; i += 1) {
        const at = wide !== -1 && i > wide ? i + surplus : i;
        const capture = /^\(\?<(p\d+)>(?:segment|rest)\)$/.exec(parts[i]);
        const within = /^((?:[^()\\]|\\.)*)\(\?<(p\d+)>segment\)((?:[^()\\]|\\.)*)$/.exec(parts[i]);
        if (capture === null && within !== null) {
            const value = valueWithin(sent[at], plainText(within[1]), plainText(within[3]));
            if (value === undefined) {
                return undefined;
            }
            captures[within[2]] = value;
        } else if (capture === null) {
            if (/[[\](){}^$*+?|]/.test(parts[i].replace(/\\[\s\S]/g, "")) || parts[i].replace(/\\/g, "") !== sent[at]) {
                return undefined;
            }
        } else if (i === wide) {
            captures[capture[1]] = sent.slice(i, i + surplus + 1).join("/");
        } else if (sent[at] === "") {
            return undefined;
        } else {
            captures[capture[1]] = sent[at];
        }
    }
    return sides[2].replace(/\$\{(p\d+)\}/g, (whole, name) => (captures[name] === undefined ? whole : captures[name]));
}

/** @return the plain text of a part of a pattern; undefined for another expression */
function plainText(part) {
    return /[[\](){}^$*+?|.]/.test(part.replace(/\\[\s\S]/g, "")) ? undefined : part.replace(/\\/g, "");
}

/** @return the text between the two texts of a part of an address */
function valueWithin(part, before, after) {
    if (before === undefined || after === undefined || !part.startsWith(before) || !part.endsWith(after)) {
        return undefined;
    }
    const value = part.slice(before.length, part.length - after.length);
    return part.length > before.length + after.length ? value : undefined;
}

/**
 * Rejects "//host" and "/\host", which a capture could produce. An address without a query gets the query of the
 * request.
 */
function destination(text, args) {
    if (!/^(?:\/(?![/\\])|https?:\/\/)[A-Za-z0-9_./~!&'()*+,:@%=|?#-]*$/.test(text)) {
        return undefined;
    }
    return args && !/[?#]/.test(text) ? `${text}?${args}` : text;
}

export default { assertForm, findRedirect, followPattern, mayRead, partOf };
