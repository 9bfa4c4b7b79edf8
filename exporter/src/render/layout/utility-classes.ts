import type * as UnoCore from "@unocss/core";
import { copyString } from "../../text/strings.js";

/** The maximum number of class names, because a hostile site may contain any number. */
const maxNames = 5000;
const maxNameLength = 120;

/** Matches names with only the characters of Tailwind's class names. */
const plainName = /^[\w\-:/.[\]#%()!,&>*=+@~']+$/;

/** Classes that the export writes into bodies although its style sheet has no rule for them. */
const ownNames = new Set(
    (
        "note info tile-picture column update-head update-text prompt-title repository icon-box color-row color-row-title " +
        "code-tabs view operation field-model field-values mermaid directory data-footnote-backref get head options trace"
    ).split(" "),
);
const ownName = /^(?:hljs|language)(?:$|-)|_$/;

/** Tailwind's borders and dividers are solid, and have a width only if a class sets one. */
const borders = ':where(main article :is([class*="border"],[class*="divide-"]>*)){border:0 solid var(--line)}\n';

/** Collects the class names on pages that may be Tailwind's, and writes the style sheet for these classes. */
export class UtilityClasses {
    readonly #names = new Set<string>();
    readonly #themeNames: ReadonlySet<string>;
    readonly #namesOfLists = new Map<string, readonly string[]>();

    /** @param themeStyles the theme's own style sheet, whose classes are excluded */
    constructor(themeStyles: string) {
        this.#themeNames = new Set([...themeStyles.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = ""]) => name));
    }

    /** Returns the class names of a body, except the theme's class names. */
    namesIn(html: string): string[] {
        const names = new Set<string>();
        for (const [, list = ""] of html.matchAll(/ class="([^"]+)"/g)) {
            this.#namesOf(list).forEach((name) => names.add(name));
        }
        return [...names];
    }

    /** Caches class lists, because most of them occur on many pages and contain only the theme's classes. */
    #namesOf(list: string): readonly string[] {
        let names = this.#namesOfLists.get(list);
        if (names === undefined) {
            const all = list.replaceAll("&amp;", "&").replaceAll("&gt;", ">").split(/\s+/);
            names = all.filter((name) => !this.#themeNames.has(name) && isPlain(name));
            if (this.#namesOfLists.size < maxNames && list.length <= maxNameLength) {
                this.#namesOfLists.set(copyString(list), names);
            }
        }
        return names;
    }

    add(names: readonly string[]): void {
        names.filter(() => this.#names.size < maxNames).forEach((name) => this.#names.add(name));
    }

    /**
     * Returns the style sheet, for which it loads the library; undefined if no page has a class that might need a
     * style.
     */
    async styles(): Promise<string | undefined> {
        if (this.#names.size === 0) {
            return undefined;
        }
        const [{ createGenerator }, { presetWind3 }] = await Promise.all([
            import("@unocss/core"),
            import("@unocss/preset-wind3"),
        ]);
        const generator = await createGenerator({
            // A selector instead of a layer gives Tailwind's rules precedence over the theme's rules for article
            // content.
            presets: [presetWind3({ important: "main article", preflight: "on-demand" })],
            variants: [{ name: "theme-dark", match: inDarkTheme, order: -1 }],
            theme: { colors: { primary: { DEFAULT: "var(--accent)", light: "var(--accent)", dark: "var(--accent)" } } },
        });
        const { css } = await generator.generate(new Set([...this.#names].sort()), { minify: true });
        return css === "" ? "" : `${borders}${css}\n`;
    }
}

function isPlain(name: string): boolean {
    return name.length <= maxNameLength && plainName.test(name) && !ownNames.has(name) && !ownName.test(name);
}

/** `dark:` follows the reader's choice, otherwise the system setting. */
function inDarkTheme(matcher: string): UnoCore.VariantHandler[] | undefined {
    if (!matcher.startsWith("dark:")) {
        return undefined;
    }
    const rest = matcher.slice("dark:".length);
    return [
        { matcher: rest, selector: (selector) => `:root[data-theme="dark"] ${selector}` },
        {
            matcher: rest,
            selector: (selector) => `:root:not([data-theme="light"]) ${selector}`,
            parent: "@media (prefers-color-scheme: dark)",
        },
    ];
}
