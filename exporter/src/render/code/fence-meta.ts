/** The first and the last line of a range. */
export type LineRange = readonly [from: number, to: number];

export interface FenceMeta {
    readonly title: string | undefined;
    readonly icon: string | undefined;
    readonly highlight: readonly LineRange[];
    readonly focus: readonly LineRange[];
    readonly lines: boolean;
    readonly wrap: boolean;
    readonly expandable: boolean;
    readonly copy: boolean;
}

const flags = ["lines", "wrap", "expandable", "nocopy", "twoslash", "copy", "line-numbers", "showLineNumbers"] as const;
const part = /(?<![\w-])([\w-]+)=(?:"([^"]*)"|'([^']*)'|\{([^}]*)\}|(\S+))|\{([^{}]*)\}|"([^"]*)"|'([^']*)'|(\S+)/g;

/** The name and options of a code block. */
interface Fence {
    readonly language: string | undefined;
    readonly meta: string | undefined;
}

/** Reads a fence's first word, which may contain marked lines, as in `ts{1}`, or begin Pandoc's `{.python .class}`. */
export function parseFence(word: string | undefined, meta = ""): Fence {
    const [, name, others = "", rest = ""] =
        /^\{\s*\.([^\s.#{}]+)((?:[\s.#][^{}]*)?)\}(.*)$/.exec(`${word ?? ""} ${meta}`) ?? [];
    if (name !== undefined) {
        return { language: name, meta: `${others.replace(/(?<!\S)[.#]\S*/g, "")}${rest}`.trim() };
    }
    const [, language = word, lines = ""] = /^([^\s{]+)(\{[^}]*\})$/.exec(word ?? "") ?? [];
    return { language, meta: [lines, meta].filter((part) => part !== "").join(" ") };
}

const plainFence = parse("");

/** Reads the text after a fence's language: `main.ts {1,3-5} lines icon="java"`, where `main.ts` is the title. */
export function parseFenceMeta(meta: string | undefined): FenceMeta {
    return meta === undefined || meta === "" ? plainFence : parse(meta);
}

function parse(meta: string): FenceMeta {
    const values = new Map<string, string>();
    const words: string[] = [];
    const set = new Set<string>();
    for (const match of meta.slice(0, 2000).matchAll(part)) {
        const [, name, double, single, braces, bare, lines, quoted, quotedSingle, word] = match;
        if (bare !== undefined && (name === "title" || name === "filename")) {
            words.push(bare); // Without quotes a title may have several words.
        } else if (name !== undefined) {
            values.set(name, double ?? single ?? braces ?? bare ?? "");
        } else if (lines !== undefined) {
            values.set("highlight", lines);
        } else if (word !== undefined && (flags as readonly string[]).includes(word)) {
            set.add(word);
        } else {
            words.push(quoted ?? quotedSingle ?? word ?? "");
        }
    }
    const has = (flag: (typeof flags)[number]) => set.has(flag) || values.get(flag) === "true";
    const title = values.get("title") ?? values.get("filename") ?? words.join(" ");
    return {
        title: title === "" ? undefined : title,
        icon: values.get("icon"),
        highlight: rangesOf(values.get("highlight")),
        focus: rangesOf(values.get("focus")),
        lines: has("lines") || has("line-numbers") || has("showLineNumbers"),
        wrap: has("wrap"),
        expandable: has("expandable"),
        copy: !has("nocopy"),
    };
}

/** Parses `1,3-5` into ranges. */
function rangesOf(text: string | undefined): LineRange[] {
    return (text ?? "")
        .replace(/[[\]]/g, "")
        .split(/,|(?<=\d)\s+(?=\d)/)
        .flatMap((item): LineRange[] => {
            const [, from, to] = /^\s*(\d{1,6})(?:\s*-\s*(\d{1,6}))?\s*$/.exec(item) ?? [];
            return from === undefined ? [] : [[Number(from), Number(to ?? from)]];
        });
}
