import { isAllowedAddress } from "../../html/page-scripts.js";
import { isRecord, listOf, recordsOf, textOf, withoutUndefined } from "../../text/json-values.js";
import { fields, iconOf, oneOf, type ReadSetting, type WithIcon } from "./setting-values.js";

/** The feature of a deployment that an option needs; `pdf` is a PDF of the export. */
export type MenuNeed = "assistant" | "aiTools" | "mcp" | "pdf";

/** The options of the platform's page menu, each with the feature that it needs. */
export const menuOptions = {
    copy: undefined,
    view: undefined,
    assistant: "assistant",
    "download-pdf": "pdf",
    "download-spec": undefined,
    chatgpt: "aiTools",
    claude: "aiTools",
    perplexity: "aiTools",
    grok: "aiTools",
    aistudio: "aiTools",
    devin: "aiTools",
    "devin-desktop": "aiTools",
    mcp: "mcp",
    "add-mcp": "mcp",
    cursor: "mcp",
    vscode: "mcp",
    "devin-mcp": "mcp",
} as const satisfies Readonly<Record<string, MenuNeed | undefined>>;
export type MenuOption = keyof typeof menuOptions;

/** A link that the site adds to the menu. Values in the link's query may contain `$page`, `$path` and `$mcp`. */
export interface OwnMenuOption extends WithIcon {
    readonly title: string;
    readonly description?: string;
    readonly href: string;
    readonly query: readonly (readonly [key: string, value: string])[];
}

const options: ReadSetting<readonly (MenuOption | OwnMenuOption)[]> = (value, at, report) =>
    listOf(value).flatMap((entry, index) => {
        if (isRecord(entry)) {
            return (
                ownOption(entry) ??
                report(
                    `${at}.${index}`,
                    `an option of ${at} needs a title and a web address as href, so it is left out`,
                ) ??
                []
            );
        }
        return isMenuOption(entry)
            ? entry
            : (report(`${at}.${index}`, `the option "${String(entry)}" of ${at} is not known: correct its name`) ?? []);
    });

function isMenuOption(entry: unknown): entry is MenuOption {
    return typeof entry === "string" && Object.hasOwn(menuOptions, entry);
}

function ownOption(entry: Readonly<Record<string, unknown>>): OwnMenuOption | undefined {
    const { title, description, href } = entry;
    const base = textOf(isRecord(href) ? href["base"] : href);
    if (textOf(title) === undefined || base === undefined || !isAllowedAddress(base)) {
        return undefined;
    }
    const query = recordsOf(isRecord(href) ? href["query"] : undefined).flatMap(({ key, value }) =>
        typeof key === "string" && typeof value === "string" ? [[key, value] as const] : [],
    );
    return {
        ...withoutUndefined({ title: textOf(title) ?? "", description: textOf(description), href: base }),
        ...iconOf(entry),
        query,
    };
}

/** The menu of each page, in the platform's form. */
export const pageMenu = fields({ options, display: oneOf("header", "toc") });

export type PageMenu = NonNullable<ReturnType<typeof pageMenu>>;
