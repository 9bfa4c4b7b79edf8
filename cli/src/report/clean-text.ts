import { redact } from "@pulumi-static-export/contract";

/** Makes text from a program or a server safe to show. */
export type Cleaner = (text: string, limits?: TextLimits) => string;

interface TextLimits {
    /** Longer text is truncated. @default 200 */
    characters?: number;
    /** @default 1, which turns line breaks into spaces */
    lines?: number;
}

/**
 * Creates a cleaner that removes the given secrets, strings that look like secrets, and the queries and credentials of
 * addresses. The cleaner also removes everything that could make text look like other text: terminal sequences, control
 * and direction marks, and stacks of combining marks.
 */
export function createCleaner(secrets: Iterable<string>): Cleaner {
    // A short secret is not removed: it would match everywhere, and the gaps would reveal it.
    const known = [...new Set(secrets)].filter((secret) => secret.length >= 4);
    const maxKnownLength = known.reduce((max, { length }) => Math.max(max, length), 0);
    return (text, { characters = 200, lines = 1 } = {}) => {
        // Limits how much the patterns read, without cutting a known secret in two.
        const enough = characters * readForEachShown;
        const start = withoutTerminalSequences(text.slice(0, enough + maxKnownLength));
        const safe = withoutSecrets(beginningOf(redact(start, known), enough));
        const rows = safe.split(/\r\n|[\n\r\u2028\u2029]/).map(withVisibleMarks);
        const shown = lines === 1 ? [rows.join(" ").trim()] : rows.slice(0, lines);
        const cut = rows.length > shown.length && lines > 1 ? [`… ${rows.length - shown.length} more lines`] : [];
        return bounded([...shown, ...cut].join("\n"), characters);
    };
}

/**
 * How many characters are read for each character shown: most of the text may be secrets and terminal sequences.
 */
const readForEachShown = 20;
const maxWordCharacters = 2000;

/** Omits a word that would be truncated, because a part of a secret would not be recognised. */
function beginningOf(text: string, characters: number): string {
    if (text.length <= characters) {
        return text;
    }
    const cut = text.slice(0, characters);
    const space = Math.max(cut.lastIndexOf(" "), cut.lastIndexOf("\n"));
    return cut.length - space <= maxWordCharacters ? cut.slice(0, space) : cut;
}

const secretShapes: readonly (readonly [RegExp, string])[] = [
    // The serialised code of a dynamic provider.
    [/(?:exports\.handler = __f0;|var __provider = )[^]*/g, "[serialised provider]"],
    [/-----BEGIN [^-]+-----[^]*?(?:-----END [^-]+-----|$)/g, "[secret]"],
    // The same code, truncated at its beginning.
    [/^[^]*-----END [^-]+-----/g, "[secret]"],
    [/(:\/\/)[^\s/"'<>@]*@/g, "$1"],
    [/\b(Bearer|Basic|Token)\s+[\w.~+/-]{8,}=*/gi, "$1 [secret]"],
    [/(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, "[secret]"],
    [/\b(?:gh[a-z]_|github_pat_|glpat-|glcbt-|pul-|mint_|sk-|xox[a-z]-)[\w-]{8,}/g, "[secret]"],
    [/\b(?:AKIA|ASIA)[A-Z0-9]{12,}/g, "[secret]"],
    [/\b(?:admin|mint|bundle)_[0-9a-f]{16,}/gi, "[secret]"],
    [
        /((?:pass(?:word|phrase)|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|signature|(?:client-key|client-certificate|certificate-authority)-data)["']?\s*[:=]\s*["']?)[^\s"',;]{6,}/gi,
        "$1[secret]",
    ],
];

function withoutSecrets(text: string): string {
    return secretShapes.reduce((safe, [shape, replacement]) => safe.replace(shape, replacement), withoutQueries(text));
}

/** Finds addresses word by word: a single pattern would take quadratic time. */
function withoutQueries(text: string): string {
    return text.replace(/[^\s"'<>]+/g, (word) => {
        const scheme = word.indexOf("://");
        const query = scheme < 0 ? -1 : word.slice(scheme).search(/[?#]/);
        return query < 0 ? word : word.slice(0, scheme + query);
    });
}

function withoutTerminalSequences(text: string): string {
    return (
        text
            // eslint-disable-next-line no-control-regex
            .replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\))/g, "")
            .replace(/<\{%[^%]*%\}>/g, "")
    );
}

/** Writes characters that are invisible or change the text direction as their code points. */
function withVisibleMarks(line: string): string {
    return line
        .replace(/\t/g, "    ")
        .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (mark) => `\\u{${mark.codePointAt(0)!.toString(16)}}`)
        .replace(/(\p{M}{3})\p{M}+/gu, "$1");
}

function bounded(text: string, characters: number): string {
    const all = [...text];
    return all.length <= characters ? text : `${all.slice(0, characters - 1).join("")}…`;
}
