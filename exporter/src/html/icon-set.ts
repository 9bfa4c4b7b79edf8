import { getOrMake } from "../text/get-or-make.js";
import { createRequire } from "node:module";

/** The libraries that `docs.json` can name under `icons.library`. */
export type IconLibrary = "fontawesome" | "lucide" | "tabler";

interface IconData {
    readonly width?: number;
    readonly height?: number;
    readonly icons: Readonly<Record<string, { body: string; width?: number; height?: number }>>;
    readonly aliases?: Readonly<Record<string, { parent: string }>>;
}

const require = createRequire(import.meta.url);
const loaded = new Map<string, IconData>();

/** The packages that contain a Font Awesome style; the free set has no light, thin, sharp or duotone drawings. */
const fontAwesomeStyles: ReadonlyMap<string, readonly string[]> = new Map([
    ["brands", ["fa7-brands"]],
    ["solid", ["fa7-solid", "fa7-brands", "fa7-regular"]],
]);
const otherStyles = ["fa7-regular", "fa7-solid", "fa7-brands"];

/**
 * Finds an icon in the installed sets and returns it as an SVG element; undefined for an unknown name. Uses another
 * library's icon if only that library contains the name.
 */
export function iconSvg(name: string, library: IconLibrary = "fontawesome", style = ""): string | undefined {
    const plain = name
        .trim()
        .toLowerCase()
        .replace(/^(?:fa-[a-z-]+ )*(?:fa|lucide|tabler)[-:]/, "");
    const fontAwesome = fontAwesomeStyles.get(style || "solid") ?? otherStyles;
    const own = library === "fontawesome" ? fontAwesome : [library];
    const sets = new Set([...own, ...fontAwesome, "lucide", "tabler"]);
    const names = /^[A-Z]/.test(name) ? [plain, iconNameOf(name)] : [plain];
    for (const set of sets) {
        for (const wanted of names) {
            const svg = svgOf(readSet(set), wanted);
            if (svg !== undefined) {
                return svg;
            }
        }
    }
    return undefined;
}

function readSet(name: string): IconData {
    return getOrMake(loaded, name, () => require(`@iconify-json/${name}/icons.json`) as IconData);
}

function svgOf(set: IconData, name: string): string | undefined {
    const alias = set.aliases !== undefined && Object.hasOwn(set.aliases, name) ? set.aliases[name] : undefined;
    const key = alias?.parent ?? name;
    const icon = Object.hasOwn(set.icons, key) ? set.icons[key] : undefined;
    if (icon === undefined) {
        return undefined;
    }
    const width = icon.width ?? set.width ?? 24;
    const height = icon.height ?? set.height ?? 24;
    return `<svg class="icon" viewBox="0 0 ${width} ${height}" aria-hidden="true">${icon.body}</svg>`;
}

/** Returns an icon component's name in an icon set: `book-open` for `BookOpen`, `code-2` for `Code2`. */
export function iconNameOf(componentName: string): string {
    return componentName.replace(/[a-z\d](?=[A-Z])|[A-Za-z](?=\d)|[A-Z](?=[A-Z][a-z])/g, "$&-").toLowerCase();
}
